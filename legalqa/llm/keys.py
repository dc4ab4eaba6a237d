"""Keys to providers, bound to the organisation and the address that they are for.

The cipher alone would open a key in any row. So organisation and address are encrypted with it and checked.
"""

import json
from uuid import UUID

from legalqa.common.encryption import SecretUnreadable


def key_seal(*, organization_id: UUID, base_url: str, key: str) -> str:
    """The value to store for a key, which its field encrypts; "" for none."""
    return json.dumps({"organization": str(organization_id), "address": base_url, "key": key}) if key else ""


def key_unseal(*, organization_id: UUID, base_url: str, sealed: str) -> str:
    """The key from its stored value.

    Raises:
        SecretUnreadable: it was made for another organisation or address.
    """
    if not sealed:
        return ""
    document = json.loads(sealed)
    if (document["organization"], document["address"]) != (str(organization_id), base_url):
        raise SecretUnreadable("A provider's key is in a row that it was not encrypted for.")
    return str(document["key"])
