"""`--karpenter`: the version of self-managed Karpenter that runs, for check, explain and diff."""

POOL = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: web}
spec:
  replicas: 2
  template:
    spec:
      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: default}
      requirements: [{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}]
"""
CLASS = """
apiVersion: karpenter.k8s.aws/v1
kind: EC2NodeClass
metadata: {name: default}
spec:
  role: nodes
  amiSelectorTerms: [{alias: al2023@latest}]
  subnetSelectorTerms: [{id: subnet-1}]
  securityGroupSelectorTerms: [{id: sg-1}]
"""
POD = "kind: Pod\nmetadata: {name: a}\nspec: {nodeSelector: {karpenter.k8s.aws/instance-tenancy: default}, containers: [{name: main}]}\n"


def test_check(nodepools, tmp_path):
    (tmp_path / "pool.yaml").write_text(POOL)
    answer = nodepools("check", "pool.yaml", "--karpenter", "1.7", cwd=tmp_path)
    assert answer.status == 1
    assert "Karpenter 1.7 does not have `replicas` (new in 1.8)" in answer.out
    assert nodepools("check", "pool.yaml", "--karpenter", "1.8.3", cwd=tmp_path).status == 0


def test_explain(nodepools, tmp_path):
    (tmp_path / "pool.yaml").write_text(POOL)
    (tmp_path / "pod.yaml").write_text(POD)
    told = [nodepools("explain", "pod.yaml", "--existing", "pool.yaml", "--karpenter", version, cwd=tmp_path).out for version in ("1.8", "1.9")]
    assert told[0].startswith("pool.yaml: a (Pod) stays Pending everywhere: no pool has label")
    assert told[1].startswith("pool.yaml: unknown whether a (Pod) fits: ")


CLAIMING = "kind: Pod\nmetadata: {name: a}\nspec: {resourceClaims: [{name: g, resourceClaimName: g}], containers: [{name: main}]}\n"
NODE = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '4', pods: '9'}}\n"


def test_a_version_without_claims_of_devices(nodepools, tmp_path):
    (tmp_path / "pool.yaml").write_text(f"{NODE}---\n{POOL.replace('  replicas: 2', '  weight: 2')}---\n{POOL.replace('name: web', 'name: fixed')}")
    (tmp_path / "pod.yaml").write_text(CLAIMING)
    arguments = ["explain", "pod.yaml", "--existing", "pool.yaml", "--format", "json", "--karpenter"]
    for version, verdict in (("1.14", "cannot"), ("1.15", "unknown")):
        [pod] = nodepools(*arguments, version, cwd=tmp_path).json["pods"]
        found = {pool["pool"]: pool for pool in pod["pools"]}
        assert [found[name]["verdict"] for name in ("web", "fixed")] == [verdict, "unknown"]
        assert (f"Karpenter {version} launches no node for it" in found["web"]["reasons"][-1]["message"]) is (verdict == "cannot")


def test_diff(nodepools, tmp_path):
    (tmp_path / "old.yaml").write_text(CLASS)
    (tmp_path / "new.yaml").write_text(CLASS.replace("role: nodes", "role: others"))
    told = [nodepools("diff", "old.yaml", "new.yaml", "--karpenter", version, cwd=tmp_path).out for version in ("1.6", "1.7")]
    assert "Karpenter 1.6 does not change `role` of an EC2NodeClass" in told[0]
    assert "rolls" in told[1]


def test_a_version_that_is_not_known_is_one_line(nodepools, tmp_path):
    (tmp_path / "pool.yaml").write_text(POOL)
    for command in (["check", "pool.yaml"], ["explain", "pool.yaml", "--existing", "pool.yaml"], ["diff", "pool.yaml", "pool.yaml"]):
        answer = nodepools(*command, "--karpenter", "2.7", cwd=tmp_path)
        assert answer.status == 2
        assert "`2.7` is not in the table, which has 1.0 to 1.15 (aws/karpenter-provider-aws, 2026-11-23)" in answer.err


def test_it_needs_objects_of_karpenter(nodepools, project):
    for command in (["check"], ["explain", "examples/workloads"]):
        answer = nodepools(*command, "--karpenter", "1.8", cwd=project)
        assert answer.status == 2
        assert "`--karpenter`" in answer.err
