"""Compares the quotas of EC2 and VPC in the package with what `aws service-quotas list-aws-default-service-quotas` prints.

`python tools/compare_ec2_quotas.py QUOTAS.json…`: the output of the command with `--service-code ec2` and with `--service-code vpc`. Prints codes
that are gone, defaults that changed, and quotas of vCPUs that the table does not have; exits with 1 if there is one. Edit
`components/nodepools/data/limits.py`, and its date in `table_dates.py`. Needs a human eye: which families of instance types a quota counts
(https://docs.aws.amazon.com/ec2/latest/instancetypes/ec2-instance-quotas.html).
"""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from nodepools.data.limits import ELASTIC_IPS, NAT_GATEWAYS, VPCS, vcpu_quota_codes

_VCPUS = re.compile(r"(?:Running On-Demand|All) .+ (?:instances|Spot Instance Requests)")


class Listed(NamedTuple):
    """A quota of AWS."""

    name: str
    default: float


def differences(listed: dict[str, Listed]) -> Iterator[str]:
    """One line for each."""
    codes = {code: name for code, name, _ in vcpu_quota_codes()}
    defaults = {quota.code: quota.default for quota in (ELASTIC_IPS, NAT_GATEWAYS, VPCS)}
    yield from (f"{code} ({name}): AWS does not list it" for code, name in codes.items() if code not in listed)
    for code, default in defaults.items():
        if code not in listed:
            yield f"{code}: AWS does not list it"
        elif listed[code].default != default:
            yield f"{code} ({listed[code].name}): the table has {default}, AWS {listed[code].default:g}"
    yield from (f"{code} ({quota.name}): not in the table" for code, quota in listed.items() if _VCPUS.fullmatch(quota.name) and code not in codes)


def main(files: Sequence[Path]) -> int:
    """Prints what differs, and returns the exit code."""
    quotas = [quota for file in files for quota in json.loads(file.read_text(encoding="utf-8")).get("Quotas", [])]
    if not quotas:
        sys.exit("no `Quotas`: use the output of `aws service-quotas list-aws-default-service-quotas`")
    lines = list(differences({quota["QuotaCode"]: Listed(quota["QuotaName"], quota["Value"]) for quota in quotas}))
    sys.stdout.writelines(f"{line}\n" for line in (lines if lines else ["nothing differs"]))
    return bool(lines)


if __name__ == "__main__":
    sys.exit(main([Path(file) for file in sys.argv[1:]]))
