"""The nodes of a large cluster, as `explain --existing` reads them, against only parsing the same text with libyaml. Processor time."""

import resource
import tempfile
from pathlib import Path
from time import process_time
from typing import Literal

import yaml

from nodepools.manifests.existing.existing_pools import read_existing_pools
from nodepools.reading.bounded_input import LISTED_MIB, opened
from tests.kubectl_nodes import kubectl_nodes

NODES, IMAGES = 5000, 50


def read(file: Path) -> float:
    start = process_time()
    with opened(file, LISTED_MIB) as source:
        pools = read_existing_pools([(source, file.name)])
    assert len(pools.static) == NODES
    return process_time() - start


def parse(file: Path) -> float:
    start = process_time()
    with file.open("rb") as source:
        parser = yaml.CSafeLoader(source)
        while parser.get_event() is not None:
            pass
    return process_time() - start


def nodes(form: Literal["yaml", "json"]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch, f"nodes.{form}")
        with file.open("w") as text:
            text.writelines(kubectl_nodes(NODES, IMAGES, form))
        ours, megabytes = read(file), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        parsing = parse(file)
        print(
            f"{NODES} nodes with {IMAGES} images each, {form}, {file.stat().st_size / 1e6:.0f} MB: {ours:.1f} s, {megabytes:.0f} MB, "
            f"{ours / parsing:.2f} x only parsing with libyaml ({parsing:.1f} s)"
        )


if __name__ == "__main__":
    nodes("yaml")
    nodes("json")
