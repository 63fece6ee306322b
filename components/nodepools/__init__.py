"""AKS and EKS node pools, declared once: what declarations and their checks need is imported from here.

Settings of the services of a cloud are in `nodepools.aks` and `nodepools.eks`, what own rules need is in `nodepools.rules`, typed label keys are in
`nodepools.keys`, changes for `derive()` in `nodepools.partial`, tests of programs in `nodepools.testing`. All other paths are private. The stub of
the package lists the names.
"""

from nodepools.model.error_wording import word_errors_in
from nodepools.public_names import names_of

__getattr__, __dir__, __all__ = names_of(__name__)
word_errors_in(f"{__name__}.loading")
