"""What the studies share: results from databases and proofs, tables, and how pictures look."""

import json
import sqlite3

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (the back end is chosen first)

# Okabe and Ito's, which those who see few colours tell apart, too.
COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00"]
GREY = "#8a8a8a"

plt.rcParams.update(
    {
        "figure.facecolor": "white",  # so that it can be read on a dark page, too
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.labelsize": 9,
        "grid.color": "#dddddd",
        "grid.linewidth": 0.6,
        "font.size": 9,
        "legend.fontsize": 8,
        "legend.frameon": False,
        "svg.fonttype": "none",  # text stays text
        "svg.hashsalt": "vantage",  # the same numbers make the same file
    }
)


def save(figure, target):
    figure.savefig(target, metadata={"Date": None}, bbox_inches="tight", pad_inches=0.12)
    print(f"\nthe picture is {target}")


def query(database, sql, *values):
    """Rows as dictionaries."""
    connection = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    connection.row_factory = sqlite3.Row
    with connection:
        return [dict(row) for row in connection.execute(sql, values)]


# Of the latest version of the tool alone, where a database has several.
LATEST = "workload IN (SELECT max(id) FROM workloads GROUP BY name, effort)"


def results(database, **keys):
    """Each design that was measured on a workload: its results, and its configuration as `config`."""
    rows = query(
        database,
        "SELECT r.*, d.config, d.luts, d.flip_flops, d.dsps, d.block_rams FROM results r "
        f"JOIN designs d ON d.id = r.design WHERE r.cycles IS NOT NULL AND r.{LATEST}",
    )
    for row in rows:
        row["config"] = json.loads(row["config"])
    return [row for row in rows if all(row[key] == value for key, value in keys.items())]


def shape(config):
    return f"{2 ** config['LOG_BATCH']}x{2 ** config['LOG_BLOCK_IN']}x{2 ** config['LOG_BLOCK_OUT']}"


def print_table(titles, rows):
    """Columns as wide as they need be; the first is text, and the others are right-aligned."""
    cells = [titles] + [[str(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(titles))]
    for row in cells:
        print("  ".join([row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]).rstrip())
