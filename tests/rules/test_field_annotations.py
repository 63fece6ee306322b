"""Words of a cloud that ignores their case, in the spelling of the model."""

import pytest

from nodepools.model.aks.agent_pool import UserPool
from nodepools.model.aks.network import NetworkProfile
from nodepools.rules.engine.field_annotations import with_words


@pytest.mark.parametrize(
    ("annotation", "written", "read"),
    [
        pytest.param(UserPool, {"scale_down_mode": "DEALLOCATE"}, {"scale_down_mode": "Deallocate"}, id="a word of a field"),
        pytest.param(UserPool, {"scale_down_mode": "sleep"}, {"scale_down_mode": "sleep"}, id="a word that the model lacks"),
        pytest.param(UserPool, {"mode": "user", "count": 3}, {"mode": "user", "count": 3}, id="a field that the model lacks, and a number"),
        pytest.param(NetworkProfile, {"ip_families": ["ipv6", 4]}, {"ip_families": ["IPv6", 4]}, id="words of a list"),
        pytest.param(UserPool | NetworkProfile, {"policy": "AZURE"}, {"policy": "AZURE"}, id="one of two parts, which the words do not tell"),
        pytest.param(UserPool, None, None, id="nothing"),
    ],
)
def test_a_word_has_the_spelling_of_the_model(annotation: object, written: object, read: object) -> None:
    assert with_words(annotation, written) == read
