"""The options about what exists, in files or in a running cluster."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from nodepools.cli.command_run import CommandRun
from nodepools.cli.problem import usage_error

ExistingOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--existing",
        help="What exists, as `kubectl`, `az` and `aws` print it: files or folders; - for stdin. Repeatable.  [default: none]",
        metavar="PATH",
    ),
]
ContextOption = Annotated[
    str | None,
    typer.Option("--context", help="What exists, read now with your `kubectl` and this context of your kubeconfig.  [default: none]", metavar="NAME"),
]
CloudOption = Annotated[
    bool, typer.Option("--cloud", help="With --context, also ask `az` or `aws` for pools, quotas, subnets and versions; only reads.  [default: off]")
]
NamespaceOption = Annotated[
    str | None,
    typer.Option("--namespace", "-n", help="Namespace of workloads such as `deploy/web`.  [default: that of the context]", metavar="NAMESPACE"),
]


@contextmanager
def existing_paths(
    existing: list[Path] | None, context: str | None, run: CommandRun, *, of_karpenter: bool = False, events: bool = False, cloud: bool = False
) -> Generator[list[Path] | None]:
    """The given paths and those of what the cluster of `--context` says, or its objects of Karpenter, during the `with` block.

    With `events`, also why nodes were replaced; with `cloud`, also what its cloud says.

    Raises:
        InputError: the cluster cannot be read.
    """
    if context is None:
        if cloud:
            usage_error("`--cloud` asks about a running cluster: it needs `--context NAME`")
        yield existing
        return
    from nodepools.cli.inputs.kubectl import with_context  # starts processes, which no other option does

    with with_context(context, existing, run, of_karpenter=of_karpenter, events=events) as paths:
        if not cloud:
            yield paths
            return
        from nodepools.cli.inputs.cloud_clis import with_cloud

        with with_cloud(context, paths, run) as every:
            yield every


@contextmanager
def planned_paths(
    file: list[Path] | None, existing: list[Path] | None, run: CommandRun, stack: str | None = None
) -> Generator[tuple[str | None, list[Path] | None, list[Path] | None]]:
    """`--stack`, `--file` and `--existing` in the `with` block. A plan of Terraform that no platform can declare is what exists once it is applied.

    It has node groups or a cluster without Auto Mode, or manifests are given next to it.

    Raises:
        InputError: something that decides where pods run is not known.
    """
    if file is not None and any(path.suffix == ".json" and path.is_file() for path in file):
        from nodepools.cli.inputs.terraform_files import planned_texts  # few declarations are plans

        if texts := planned_texts(file, run):
            from nodepools.cli.inputs.input_files import texts_in_memory

            run.reads_plan = True
            with texts_in_memory(texts):
                yield None, None, [*file, *(existing if existing is not None else ())]
            return
    yield stack, file, existing


def stack_of(context: str | None, stack: str | None, *, every: bool, file: Sequence[Path] | None) -> str | None:
    """The stack that a command reads: without an option that names one, that of the context in the settings.

    Raises:
        InputError: the settings are not valid.
    """
    if context is None or stack is not None or every or file:
        return stack
    from nodepools.cli.inputs.kubectl import cluster_of_context

    mapped = cluster_of_context(context)
    return mapped[0] if mapped is not None else None


@contextmanager
def workloads_of_cluster(
    pods: Sequence[Path], existing: Sequence[Path] | None, context: str | None, namespace: str | None, run: CommandRun
) -> Generator[None]:
    """During the `with` block, paths such as `deploy/web` are workloads of the cluster of `--context`, or in the files of `--existing`.

    Raises:
        InputError: a workload cannot be read, or `--namespace` is given for a manifest.
    """
    if namespace is None and not any(len(path.parts) == 2 for path in pods):  # noqa: PLR2004  # a kind and a name
        yield
        return
    from nodepools.cli.inputs.workload_files import with_named_workloads

    with with_named_workloads(pods, existing, context, namespace, run):
        yield
