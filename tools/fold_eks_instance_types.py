"""Converts a table of EC2 instance types and one of prices to the compact table in the package.

`python tools/fold_eks_instance_types.py TYPES PRICES TABLE`. What all types of a family share is written once.
Run it to update the tables. The installed package does not need it.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

PREFIX = "eks.amazonaws.com/"
IMPLIED = {
    "eks.amazonaws.com/compute-type",
    "eks.amazonaws.com/instance-family",
    "eks.amazonaws.com/instance-size",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
}
"""Labels that every type has, or that follow from its name."""
DEVICES = ("nvidia.com/gpu", "amd.com/gpu", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore")

Labels = dict[str, str]


def folded(types: dict[str, dict[str, Labels]], prices: dict[str, float]) -> dict[str, object]:
    """The families of `types`."""
    families: dict[str, dict[str, dict[str, Labels]]] = defaultdict(dict)
    for name, known in sorted(types.items()):
        family, _, size = name.partition(".")
        families[family][size] = known
    return {family: _family(family, sizes, prices) for family, sizes in families.items()}


def _family(family: str, sizes: dict[str, dict[str, Labels]], prices: dict[str, float]) -> dict[str, object]:
    labels = {
        size: {key.removeprefix(PREFIX): value for key, value in known["labels"].items() if key not in IMPLIED} for size, known in sizes.items()
    }
    keys = sorted({key for of_size in labels.values() for key in of_size})
    shared = [key for key in keys if len({of_size.get(key) for of_size in labels.values()}) == 1]
    varying = [key for key in keys if key not in shared]
    first = next(iter(labels.values()))
    made: dict[str, object] = {
        "labels": {key: first[key] for key in shared},
        "varying": varying,
        "sizes": {size: [*(of_size.get(key) for key in varying), prices.get(f"{family}.{size}")] for size, of_size in labels.items()},
    }
    devices = {size: {key: int(known["resources"][key]) for key in DEVICES if key in known["resources"]} for size, known in sizes.items()}
    if any(devices.values()):
        made["devices"] = devices
    return made


def main(types: Path, prices: Path, table: Path) -> None:
    """Reads both, and writes `table` with one line for each family."""
    read, priced = json.loads(types.read_text()), json.loads(prices.read_text())
    families = folded(read["types"], priced["aws"]["us-east-1"])
    origin = {"types": read["_meta"]["origin"], "prices": f"us-east-1, USD per hour, on demand: {priced['_meta']['aws']}"}
    lines = ",\n".join(f"{json.dumps(family)}:{json.dumps(made, separators=(',', ':'))}" for family, made in families.items())
    table.write_text(f'{{"origin":{json.dumps(origin)},\n"families":{{\n{lines}\n}}}}\n')


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
