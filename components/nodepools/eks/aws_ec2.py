"""The module `ec2` of the AWS SDK, without the warning about a class of its own that nothing here uses.

The SDK warns when the module is loaded: programs that treat warnings as errors could not declare a network.
"""

import warnings
from typing import Final

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="aws.ec2/encryptioncontrol", category=DeprecationWarning)
    from pulumi_aws import ec2

    _FIRST_USE: Final = ec2.Vpc  # the SDK loads the module at its first use, not at its import

__all__ = ["ec2"]
