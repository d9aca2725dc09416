// Columns of numbers as report/packed.h writes them: base64 of gzip of integers in base 128, in zigzag.
(function() {
vantage.unpack_bytes = async function(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; ++i) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

// `make` is the type of the array: values may need more than 32 bits. `is_sum`: each is what is added to the one
// before. Without a count all that there are.
vantage.unpack_column = async function(text, count = null, make = Float64Array, is_sum = false) {
  const bytes = await vantage.unpack_bytes(text);
  if (count === null) count = bytes.reduce((sum, byte) => sum + (byte < 128 ? 1 : 0), 0);
  const values = new make(count);
  let sum = 0;
  for (let i = 0, at = 0; i < count; ++i) {
    let byte = bytes[at++];
    let zigzag = byte & 127;
    for (let scale = 128; byte > 127; scale *= 128) {
      byte = bytes[at++];
      zigzag += (byte & 127) * scale;
    }
    const value = zigzag % 2 === 1 ? -(zigzag + 1) / 2 : zigzag / 2;
    sum = is_sum ? sum + value : value;
    values[i] = sum;
  }
  return values;
};
vantage.unpack_json = async (text) => JSON.parse(new TextDecoder().decode(await vantage.unpack_bytes(text)));
})();
