"""Where the parts of one cluster are registered: in which account, and in which part of AWS that is."""

from dataclasses import dataclass, replace

import pulumi
import pulumi_aws

from nodepools.component.scope import ChildScope
from nodepools.model.eks.cluster import AwsAccount, EksClusterArgs


@dataclass(frozen=True, slots=True)
class ClusterContext:
    """What all parts of a cluster share."""

    scope: ChildScope
    args: EksClusterArgs
    partition: pulumi.Output[str]
    """`aws`, `aws-cn`, `aws-us-gov`, …: ARNs begin with it."""

    @classmethod
    def of(cls, component: pulumi.ComponentResource, stem: str, args: EksClusterArgs) -> "ClusterContext":
        """The site of `component`, whose children are named with `stem`: in the declared account, or in that of the inherited provider."""
        scope = ChildScope(component, stem, dict(args.tags))
        if args.account is not None:
            scope = replace(scope, provider=_account_provider(scope, args.account, args.region))
        partition = pulumi_aws.get_partition_output(opts=scope.invoke_options).apply(lambda known: known.partition)
        return cls(scope, args, partition)

    def policy(self, name: str) -> pulumi.Output[str]:
        """ARN of an IAM policy of AWS."""
        return self.partition.apply(lambda partition: f"arn:{partition}:iam::aws:policy/{name}")

    def access_policy(self, name: str) -> pulumi.Output[str]:
        """ARN of an access policy of EKS: what a principal may do inside a cluster. Not an IAM policy."""
        return self.partition.apply(lambda partition: f"arn:{partition}:eks::aws:cluster-access-policy/{name}")

    def role(self, reference: pulumi.Input[str]) -> pulumi.Output[str]:
        """ARN of a role of this account, by its path and name."""
        account = self.args.account
        number = account.id if account is not None else _asked_account(self.scope)
        return pulumi.Output.all(self.partition, number, reference).apply(lambda known: f"arn:{known[0]}:iam::{known[1]}:role/{known[2]}")


def _account_provider(scope: ChildScope, account: AwsAccount, region: str) -> pulumi_aws.Provider:
    """An explicit provider inherits nothing from the stack's, so it says all that it needs, and refuses to touch any other account."""
    role = scope.value(account.role_arn) if account.role_arn is not None else None
    return pulumi_aws.Provider(
        scope.name("aws"),
        region=region,
        allowed_account_ids=[account.id],
        profile=account.profile,
        # As a class: the SDK writes a dict into the provider's settings as it is, and `role_arn` means nothing there.
        assume_roles=[pulumi_aws.ProviderAssumeRoleArgs(role_arn=role)] if role is not None else None,
        opts=pulumi.ResourceOptions(parent=scope.parent),
    )


def _asked_account(scope: ChildScope) -> pulumi.Output[str]:
    return pulumi_aws.get_caller_identity_output(opts=scope.invoke_options).apply(lambda known: known.account_id)
