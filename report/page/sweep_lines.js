// Lines between two axes, as many as there are designs: they are added up in a picture, so that ten times as many take
// hardly longer, and each is seen where it is alone.
(function() {
// The place on an axis of what has none; the others count from 0, from the top.
const kNowhere = 65535;

class Lines {
  constructor(places) {
    this.places = places;
    this.counts = new Uint32Array(places * places);
  }
  // The sum of all lines in each pixel of a picture of one more row than `height`, into `sums`.
  add_up(left, right, rows, width, height, sums) {
    const {places, counts} = this, pairs = [];
    counts.fill(0);
    for (const i of rows) {
      if (left[i] === kNowhere || right[i] === kNowhere) continue;
      const pair = left[i] * places + right[i];
      if (counts[pair]++ === 0) pairs.push(pair);
    }
    sums.fill(0);
    const size = (height - 1) / (places - 1);
    for (const pair of pairs) {
      const from = Math.floor(pair / places) * size, rise = (pair % places) * size - from, count = counts[pair];
      if (Math.abs(rise) <= width) {
        // A flat line has a pixel in each column, parted between the two rows that it passes between
        const step = rise / width;
        let y = from + step / 2;
        for (let x = 0; x < width; ++x, y += step) {
          const above = y | 0, part = y - above, at = above * width + x;
          sums[at] += count * (1 - part);
          if (part > 0) sums[at + width] += count * part;
        }
      } else {
        // A steep one has a pixel in each row, parted between two columns
        const steps = Math.round(Math.abs(rise)), step = (width - 1) / steps, down = Math.sign(rise);
        let x = 0;
        for (let k = 0, at = Math.round(from) * width; k <= steps; ++k, at += down * width, x += step) {
          const left_of = x | 0, part = x - left_of;
          sums[at + left_of] += count * (1 - part);
          if (part > 0) sums[at + left_of + 1] += count * part;
        }
      }
    }
    return sums;
  }
}

// One picture of what is shown, above what is not: colours as [red, green, blue].
function paint(image, front, front_colour, back, back_colour) {
  const {data} = image;
  let most = 1;
  for (const value of front) most = Math.max(most, value);
  const slope = 0.8 / Math.pow(most, 0.4);
  for (let i = 0; i < front.length; ++i) {
    const at = 4 * i, value = front[i];
    let colour = front_colour, alpha = 0;
    if (value > 0.02) {
      alpha = Math.min(1, value) * 0.15 + slope * Math.pow(value, 0.4);
    } else if (back && back[i] > 0.02) {
      colour = back_colour;
      alpha = Math.min(1, back[i]);
    }
    data[at] = colour[0];
    data[at + 1] = colour[1];
    data[at + 2] = colour[2];
    data[at + 3] = 255 * alpha;
  }
}

vantage.Lines = Lines;
vantage.paint_lines = paint;
vantage.nowhere = kNowhere;
})();
