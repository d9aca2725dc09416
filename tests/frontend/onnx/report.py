"""report.py RESULTS: what conformance printed, as the page docs/onnx-conformance.md."""

import collections
import re
import sys
from pathlib import Path

PAGE = """# ONNX's own tests

The ONNX project has tests of its operators: a model of one or a few nodes, what goes in and what has to come out. All of
those of onnx {version}, {total}, are imported, compiled for the processor and run; results are compared with the
tolerances that the tests name. **{passed} pass**, {with_constants} of them with inputs given as constants: those that say
how large something is, since sizes are known before anything runs ([onnx.md](onnx.md)), and those of types that only
weights can have.

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


def main():
    version = next(line.split("==")[1].strip() for line in
                   (Path(__file__).parent / "requirements.txt").read_text().splitlines() if line.startswith("onnx=="))
    lines = [line.split("\t") for line in Path(sys.argv[1]).read_text().splitlines()]
    passed = [line for line in lines if line[1].startswith("passed")]
    groups = collections.defaultdict(list)
    for name, result, reason in lines:
        if result == "failed":
            groups[reason_of(reason)].append(name)
    print(PAGE.format(version=version, total=f"{len(lines):,}", passed=f"{len(passed):,}",
                      with_constants=sum(line[1] != "passed" for line in passed)), end="")
    for reason, names in sorted(groups.items(), key=lambda group: (-len(group[1]), group[0])):
        print(f"- **{reason}** ({len(names)}):")
        line = " "
        for number, name in enumerate(sorted(names)):
            word = f" `{name.removeprefix('test_')}`" + ("," if number + 1 < len(names) else "")
            if len(line) + len(word) > 118:
                print(line)
                line = " "
            line += word
        print(line)


if __name__ == "__main__":
    main()
