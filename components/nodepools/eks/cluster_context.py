"""The account and the AWS partition in which the parts of a cluster are registered."""

import pulumi
import pulumi_aws

from nodepools.component.scope import ChildScope, with_secrets
from nodepools.model.eks.cluster import AwsAccount, EksClusterArgs
from nodepools.model.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class ClusterContext:
    """Shared context of all parts of a cluster."""

    scope: ChildScope
    args: EksClusterArgs
    partition: pulumi.Output[str]
    """`aws`, `aws-cn`, `aws-us-gov`, …: part of every ARN."""

    @classmethod
    def of(cls, component: pulumi.ComponentResource, stem: str, args: EksClusterArgs) -> "ClusterContext":
        """The context of `component`, whose children have the prefix `stem`: in the declared account, or in that of the inherited provider."""
        scope = ChildScope(component, stem, with_secrets(args.tags, ("tags",)))
        if args.account is not None:
            scope = replace(scope, provider=_account_provider(scope, args.account, args.region))
        partition = pulumi_aws.get_partition_output(opts=scope.invoke_options).apply(lambda known: known.partition)
        return cls(scope, args, partition)

    def policy(self, name: str) -> pulumi.Output[str]:
        """ARN of an AWS managed IAM policy."""
        return self.partition.apply(lambda partition: f"arn:{partition}:iam::aws:policy/{name}")

    def access_policy(self, name: str) -> pulumi.Output[str]:
        """ARN of an EKS access policy: the permissions of a principal inside a cluster. Not an IAM policy."""
        return self.partition.apply(lambda partition: f"arn:{partition}:eks::aws:cluster-access-policy/{name}")

    def role(self, reference: pulumi.Input[str]) -> pulumi.Output[str]:
        """ARN of a role of this account, by its path and name."""
        account = self.args.account
        number = account.id if account is not None else _current_account(self.scope)
        return pulumi.Output.all(self.partition, number, reference).apply(lambda known: f"arn:{known[0]}:iam::{known[1]}:role/{known[2]}")


def _account_provider(scope: ChildScope, account: AwsAccount, region: str) -> pulumi_aws.Provider:
    """An explicit provider inherits no settings of the stack, so all are set. It rejects any other account."""
    role = scope.value(account.role_arn) if account.role_arn is not None else None
    return pulumi_aws.Provider(
        scope.name("aws"),
        region=region,
        allowed_account_ids=[account.id],
        profile=account.profile,
        # A class instead of a dict: the SDK does not translate the key `role_arn` of a dict.
        assume_roles=[pulumi_aws.ProviderAssumeRoleArgs(role_arn=role)] if role is not None else None,
        opts=pulumi.ResourceOptions(parent=scope.parent),
    )


def _current_account(scope: ChildScope) -> pulumi.Output[str]:
    return pulumi_aws.get_caller_identity_output(opts=scope.invoke_options).apply(lambda known: known.account_id)
