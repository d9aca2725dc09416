"""report.py RESULTS CASES: what conformance printed of these cases, as the page docs/onnx-conformance.md."""

import collections
import json
import re
import sys
import textwrap
from pathlib import Path

PAGE = """# ONNX's own tests

The ONNX project has tests of its operators: a model of one or a few nodes, what goes in and what has to come out. All
of those of onnx {version}, {total}, are imported, compiled for the processor and run; results are compared with the
tolerances that the tests name. **{passed} pass**, {with_constants} of them with inputs given as constants: those that
say how large something is, since sizes are known before anything runs ([onnx.md](onnx.md)), and those of types that
only weights can have.

Of these {ran} run on the accelerator, too, {with_weights} of them with all inputs but the first as weights: calibrated
by their own inputs and three random ones, with the options of `--accurate`, they become integers, and what the default
configuration can compute becomes programs, however small, which `fsim:` runs. Each program makes exactly what its
operators' plain loops make of the same values, and nothing that comes out is farther from what the test expects than
5 % of the largest number there, but for those that are named below.

    ./vantage test -L slow -R onnx

The others, by what is missing:

"""


def reason_of(text):
    """A line's reason without the names of its node and its numbers."""
    text = re.sub(r"^(the \\w+ that makes [^:]*|node [^:]*): ", "", text)
    text = re.sub(r"^the \w+ that makes [^:]*: ", "", text)
    text = re.sub(r"; (did you mean|known:).*", "", text)
    if re.match(r"output \d+ has ", text):
        return "other numbers come out"
    if re.match(r"output \d+ is ", text):
        return "another type or shape comes out"
    return re.sub(r"\[[^]]*\]", "[...]", text)


def listed(names):
    """Names in lines of a page."""
    lines, line = [], " "
    for number, name in enumerate(sorted(names)):
        word = f" `{name.removeprefix('test_')}`" + ("," if number + 1 < len(names) else "")
        if len(line) + len(word) > 118:
            lines.append(line)
            line = " "
        line += word
    return "\n".join([*lines, line])


def grouped(lines, reason):
    """Names by a reason, the most frequent one first."""
    groups = collections.defaultdict(list)
    for line in lines:
        groups[reason(line)].append(line[0])
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def operators_of(names):
    """How many of these cases there are of each operator, as words."""
    counts = collections.Counter()
    for name in names:
        operators = json.loads((Path(sys.argv[2]) / name / "case.json").read_text())["operators"]
        counts[operators[0] if len(operators) == 1 else "several"] += 1
    return textwrap.fill(", ".join(f"{op} {count}" for op, count in sorted(counts.items())), 118,
                         break_long_words=False, break_on_hyphens=False)


def main():
    version = next(line.split("==")[1].strip() for line in
                   (Path(__file__).parent / "requirements.txt").read_text().splitlines() if line.startswith("onnx=="))
    lines = [line.split("\t") for line in Path(sys.argv[1]).read_text().splitlines()]
    passed = [line for line in lines if line[1].startswith("passed")]
    verdict = lambda *names: [line for line in passed if line[3] in names]
    ran = verdict("ran", "ran with weights")
    print(PAGE.format(version=version, total=f"{len(lines):,}", passed=f"{len(passed):,}",
                      with_constants=sum(line[1] != "passed" for line in passed), ran=len(ran),
                      with_weights=sum(line[3] != "ran" for line in ran)), end="")
    for reason, names in grouped([line for line in lines if line[1] == "failed"], lambda line: reason_of(line[2])):
        print(f"- **{reason}** ({len(names)}):\n{listed(names)}")
    print(f"\n## On the accelerator\n\nThese {len(ran)} have programs of it:\n\n{listed([line[0] for line in ran])}\n")
    print("These are farther off, since their sums nearly cancel each other, or since the largest of their values by far\n"
          f"is one that a mask leaves out:\n\n{listed([line[0] for line in verdict('inexact')])}\n")
    others = verdict("refused")
    print("Those whose sums of products or folds of images stay on the processor, by the reason of the first of them:\n")
    for reason, names in grouped(others, lambda line: reason_of(line[4])):
        print(f"- **{reason}** ({len(names)}):\n{listed(names)}")
    nothing = [line[0] for line in verdict("nothing")]
    print(f"\nThe other {len(nothing):,} have neither, by their operators:\n\n{operators_of(nothing)}")


if __name__ == "__main__":
    main()
