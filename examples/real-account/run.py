"""Runs the smallest cluster of a cloud from `up` to `destroy`, compares predictions with what happened, and writes one evidence file.

    python run.py aks
    python run.py eks --hours 2 --most 1
    python run.py aks --teardown

Nothing is created if the nodes could cost more than `--most` until all are destroyed. What was created is destroyed, also after a failure.
"""

import argparse
import itertools
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
STEPS: Final = ("up", "edit", "upgrade")
HOURS_OF_A_MONTH: Final = 730
END_OF_A_PROCESS: Final = 120
"""Seconds for Pulumi to write its state after an interrupt."""
ATTEMPTS: Final = 3
DESTROY_SECONDS: Final = 2400
QUICK_SECONDS: Final = 120
"""For commands that change no cloud."""
DESTROY_HOURS: Final = (ATTEMPTS * (DESTROY_SECONDS + END_OF_A_PROCESS) + (ATTEMPTS + 3) * (QUICK_SECONDS + END_OF_A_PROCESS)) / 3600
"""The longest that everything after `--hours` lasts: each attempt, and the quick commands around them."""
POLL_SECONDS: Final = 60
UNDECIDED: Final = 2
"""Exit code of `nodepools compare`: something is not decided yet."""
OBJECTS: Final = "nodes,nodeclaims,pods,events"
OF_A_RESULT: Final = ("cluster", "pool", "cloud", "version", "effect", "verdict", "bounded_minutes", "observed_minutes")
"""What the evidence has of a prediction: no message, which can name nodes of the account."""
NOT_FOUND: Final = 127
"""Exit code of a shell for a command that is not on PATH."""
EXIT_FAILED, EXIT_LEFT = 1, 2
SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class StepError(Exception):
    """A step failed, or the time was over."""


@dataclass
class Run:
    """One cloud, from `up` to `destroy`."""

    cloud: str
    hours: float
    most: float
    settle: float
    """Minutes in which Karpenter can replace nodes after an edit."""
    folder: Path
    """For exports, records and the kubeconfig: it is deleted in the end."""
    steps: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    compared: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    usd: float = 0.0
    """What nodes can cost in the time."""
    left: int | None = 0
    """Resources in the state; `None`: not known."""
    is_begun: bool = False
    """Something can exist."""
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        """Until everything is destroyed, whatever was done."""
        return self.hours * 3600 - (time.monotonic() - self.started)

    def file(self, step: str) -> str:
        """The platform of a step."""
        return f"{self.cloud}/{step}.yaml"

    def create(self) -> None:
        """All steps in which something exists."""
        for name in ("pulumi", "kubectl"):
            if shutil.which(name) is None:
                raise StepError(f"{name} is not on PATH")
        self.costs()
        self.is_begun, self.left = True, None
        self.pulumi("select", "stack", "select", "--create", self.cloud)
        before: str | None = None
        for step in STEPS:
            record = self.folder / f"{step}.record.json"
            if before is not None:
                self.export()
                words = ("diff", self.file(before), self.file(step), "--existing", str(self.folder / "exports"), "--record", str(record))
                self.call(f"{step}: predict", [sys.executable, "-m", "nodepools", *words], allowed=(0, 1))
            self.pulumi(f"{step}: set", "config", "set", "step", step)
            self.pulumi(step, "up", "--yes")
            if before is None:
                self.connect()
                self.kubectl("workload", "create", "deployment", "evidence", "--image=registry.k8s.io/pause:3.10")
                self.kubectl("workload runs", "wait", "deployment/evidence", "--for=condition=Available", "--timeout=15m")
            else:
                self.compare(step, record)
            before = step
        self.pulumi("nothing left to change", "preview", "--expect-no-changes")
        self.pulumi("refresh", "refresh", "--yes")  # last: afterwards a preview shows pools that Azure lists in the cluster, too

    def costs(self) -> None:
        """Rejects nodes that can cost more than the ceiling, or without a known maximum, before anything is created.

        While pools are replaced or upgraded, the nodes of two steps exist together: every hour counts as such a one, also those of `destroy`.
        """
        hourly: list[float] = []
        for step in STEPS:
            words = [sys.executable, "-m", "nodepools", "cost", "--file", self.file(step), "--format", "json"]
            told = json.loads(self.call(f"cost of {step}", words))["platforms"][0]["maximum"]["amount"]
            if told is None:
                raise StepError(f"the nodes of {self.file(step)} have no maximum cost")
            hourly.append(told / HOURS_OF_A_MONTH)
        most = max(one + other for one, other in itertools.pairwise(hourly))
        self.usd = round(most * (self.hours + DESTROY_HOURS), 2)
        if self.usd > self.most:
            raise StepError(
                f"the nodes can cost {self.usd} USD in {self.hours:g} hours and the {DESTROY_HOURS:.1f} to destroy them: --most allows {self.most:g}"
            )

    def compare(self, step: str, record: Path) -> None:
        """Compares until everything is decided, or the time for it is over: then what is open stays open in the evidence."""
        end, applied = time.monotonic() + self.settle * 60, datetime.now(UTC).isoformat(timespec="seconds")
        result = self.folder / "ledger" / f"{step}.json"
        result.parent.mkdir(exist_ok=True)
        words = ["--file", self.file(step), "--existing", str(self.folder / "exports"), "--applied", applied, "--format", "json", "-o", str(result)]
        while True:
            self.export()
            told = json.loads(self.call(f"{step}: compare", [sys.executable, "-m", "nodepools", "compare", str(record), *words], allowed=(0, 1, 2)))
            if self.steps[-1]["exit_code"] != UNDECIDED or time.monotonic() + POLL_SECONDS > end:
                break
            time.sleep(POLL_SECONDS)
        if not told["results"]:
            raise StepError(f"{step}: nothing could be compared")
        self.compared += [{"step": step, **{name: one[name] for name in OF_A_RESULT}} for one in told["results"]]

    def connect(self) -> None:
        """The kubeconfig of the stack, in a file that only the user can read."""
        text = self.call("kubeconfig", ["pulumi", "stack", "output", f"kubeconfig-{self.cloud}", "--show-secrets", "--stack", self.cloud])
        file = self.folder / "kubeconfig"
        file.touch(mode=0o600)
        file.write_text(text, encoding="utf-8")

    def export(self) -> None:
        """What `kubectl` shows of the cluster, for records and comparisons."""
        kinds = OBJECTS if self.cloud == "eks" else OBJECTS.replace("nodeclaims,", "")
        folder = self.folder / "exports"
        folder.mkdir(exist_ok=True)
        (folder / f"{self.cloud}.yaml").write_text(self.kubectl("export", "get", kinds, "-A", "-o", "yaml"), encoding="utf-8")

    def kubectl(self, name: str, *words: str) -> str:
        """The output of `kubectl` for the cluster."""
        return self.call(name, ["kubectl", "--kubeconfig", str(self.folder / "kubeconfig"), *words])

    def pulumi(self, name: str, *words: str) -> str:
        """The output of `pulumi` for the stack."""
        stack = () if words[0] == "stack" else ("--stack", self.cloud)
        return self.call(name, ["pulumi", *words, *stack, "--non-interactive"])

    def destroy(self) -> None:
        """Tries several times, and counts what is left in the state: nothing if there is no stack, because only an empty one is removed."""
        code, output = self.tried("stacks", ["pulumi", "stack", "ls", "--json"])
        if code == 0 and is_without(output, self.cloud):
            self.left = 0
            return
        for attempt in range(ATTEMPTS):
            if attempt:
                self.tried("cancel", ["pulumi", "cancel", "--yes", "--stack", self.cloud])
            words = ["pulumi", "destroy", "--yes", "--non-interactive", "--stack", self.cloud]
            more = {"PULUMI_K8S_DELETE_UNREACHABLE": "true"} if attempt == ATTEMPTS - 1 else {}  # the cluster is deleted with its objects
            code, _ = self.tried("destroy", words, seconds=DESTROY_SECONDS, more=more)
            if code == 0:
                break
        code, state = self.tried("what is left", ["pulumi", "stack", "export", "--stack", self.cloud])
        self.left = resources_in(state) if code == 0 else None
        if self.left == 0:
            self.tried("remove the stack", ["pulumi", "stack", "rm", "--yes", "--non-interactive", self.cloud])

    def call(self, name: str, words: Sequence[str], allowed: Sequence[int] = (0,)) -> str:
        """The output of a command that went well."""
        if self.seconds_left <= 0:
            raise StepError(f"{name}: the {self.hours:g} hours are over")
        code, output = self.tried(name, words, seconds=self.seconds_left)
        if code not in allowed:
            raise StepError(f"{name}: exit code {code}")
        return output

    def tried(self, name: str, words: Sequence[str], seconds: float = QUICK_SECONDS, more: Mapping[str, str] | None = None) -> tuple[int, str]:
        """Exit code and output of a command, which is interrupted when the time is over. Its errors are shown, and are not in the evidence."""
        sys.stdout.write(f"{datetime.now(UTC):%H:%M:%S} {name}\n")
        sys.stdout.flush()
        begun = time.monotonic()
        environment = {**os.environ, **(more if more is not None else {})}
        try:
            process = subprocess.Popen(words, cwd=HERE, env=environment, stdout=subprocess.PIPE, encoding="utf-8", errors="replace")  # noqa: S603  # own words
        except OSError:  # not on PATH
            self.steps.append({"step": name, "exit_code": NOT_FOUND, "seconds": 0})
            return NOT_FOUND, ""
        try:
            output, _ = process.communicate(timeout=max(seconds, 1))
        except BaseException as error:
            process.send_signal(signal.SIGINT)
            try:
                output, _ = process.communicate(timeout=END_OF_A_PROCESS)
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
        code = process.returncode
        self.steps.append({"step": name, "exit_code": code, "seconds": round(time.monotonic() - begun)})
        return code, output

    def evidence(self, failure: str | None) -> dict[str, object]:
        """What others can see: no output, no name or id of the account, no text of an error."""
        _, pulumi = self.tried("version of pulumi", ["pulumi", "version"])
        decided = [one["verdict"] for one in self.compared]
        return {
            "format": 1,
            "cloud": self.cloud,
            "day": datetime.now(UTC).date().isoformat(),
            "versions": {
                "nodepools": version("nodepools"),
                "pulumi": pulumi.strip(),
                "python": platform.python_version(),
                **{name: version(name) for name in ("pulumi-azure-native", "pulumi-aws", "pulumi-kubernetes")},
            },
            "limits": {"hours": self.hours, "most_usd": self.most, "nodes_usd": self.usd},
            "steps": self.steps,
            "predictions": self.compared,
            "came_true": decided.count("seen"),
            "contradicted": decided.count("contradicted"),
            "not_decided": decided.count("unknown"),
            "failed": failure,
            "left": self.left,
        }


def is_without(output: str, stack: str) -> bool:
    """The list of `pulumi stack ls --json` can be read, and does not have `stack`."""
    try:
        return stack not in {one["name"].rpartition("/")[2] for one in json.loads(output)}
    except (ValueError, LookupError, TypeError, AttributeError):
        return False


def resources_in(state: str) -> int | None:
    """How many an exported state has, providers and the stack aside; `None` if it cannot be read."""
    try:
        resources = json.loads(state)["deployment"].get("resources")
        return sum(not one["type"].startswith("pulumi:") for one in (resources if resources is not None else ()))
    except (ValueError, LookupError, TypeError, AttributeError):
        return None


def failure_of(action: Callable[[], None]) -> str | None:
    """Why `action` failed; `None` if it did not. Whatever happens, what was created is destroyed, and the evidence is written."""
    try:
        action()
    except StepError as error:
        return str(error)
    except KeyboardInterrupt:
        return "interrupted"
    except BaseException as error:  # noqa: BLE001  # also the end of the process
        sys.stderr.write(f"error: {error}\n")
        return f"unexpected {type(error).__name__}"  # its text can name the account
    return None


@contextmanager
def handled(action: Callable[[int, object], None]) -> Generator[None]:
    """A signal that ends the process calls `action` in the `with` block."""
    before = {number: signal.signal(number, action) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def interrupt(_number: int, _frame: object) -> None:
    """Once: a runner sends several signals, and what follows must end."""
    for number in SIGNALS:
        signal.signal(number, go_on)
    raise KeyboardInterrupt


def go_on(_number: int, _frame: object) -> None:
    """While everything is destroyed. Not `SIG_IGN`: Pulumi would inherit that."""
    sys.stderr.write("everything is destroyed first\n")


def positive(text: str) -> float:
    """A number above zero."""
    number = float(text)
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is not a number above zero")
    return number


def main(words: Sequence[str] | None = None) -> int:
    """0: all went well. 1: a step failed, and nothing is left. 2: something is left, or it is not known."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("cloud", choices=("aks", "eks"))
    parser.add_argument("--hours", type=positive, default=3.0, help="destroying begins after this time (default: 3)")
    parser.add_argument("--most", type=positive, default=5.0, help="most USD for nodes until all are destroyed (default: 5)")
    parser.add_argument("--settle", type=positive, default=20.0, help="minutes for Karpenter after an edit (default: 20)")
    parser.add_argument("--evidence", type=Path, help="the file (default: evidence-CLOUD.json)")
    parser.add_argument("--teardown", action="store_true", help="only destroy what an earlier run left")
    given = parser.parse_args(words)
    file = given.evidence if given.evidence is not None else Path(f"evidence-{given.cloud}.json")
    if not file.parent.is_dir():
        parser.error(f"--evidence: {file.parent} is not a folder")
    failure: str | None = None
    with tempfile.TemporaryDirectory() as folder, handled(go_on):
        run = Run(given.cloud, given.hours, given.most, given.settle, Path(folder))
        if given.teardown:
            run.left = None
        else:
            with handled(interrupt):
                failure = failure_of(run.create)
        if run.is_begun or given.teardown:
            unforeseen = failure_of(run.destroy)
            failure = failure if failure is not None else unforeseen
        if not given.teardown:
            file.write_text(f"{json.dumps(run.evidence(failure), indent=2)}\n", encoding="utf-8")
    if failure is not None:
        sys.stderr.write(f"error: {failure}\n")
    if run.left != 0:
        sys.stderr.write(f"error: {'an unknown number of' if run.left is None else run.left} resources are left: run with --teardown\n")
        return EXIT_LEFT
    return 0 if failure is None else EXIT_FAILED


if __name__ == "__main__":
    sys.exit(main())
