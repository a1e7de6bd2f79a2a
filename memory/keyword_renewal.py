"""Makes the keyword entries of a database anew after a change of what is made of a text.

A newer program asks with other words than an older one has written: until this is done, words with
letters that are spelled in two ways, and other forms of words outside English, may not be found.
"""

from memory.document_store import DocumentStore
from memory.meta import KEYWORDS, read_meta, write_meta
from memory.storage import Storage
from search import KEYWORD_FORM

RENEWED_AT_ONCE = 20
"""Documents whose entries are renewed in one transaction."""


def renew_keywords(storage: Storage) -> None:
    """Renew every entry, unless they are of this program's form; can be interrupted anywhere."""
    database, documents = storage.database, DocumentStore(storage)
    if read_meta(database, KEYWORDS) == KEYWORD_FORM:
        return
    after = ""
    while page := documents.page(source=None, path=None, after=after, limit=RENEWED_AT_ONCE):
        with database.transaction() as tx:
            for document in page:
                documents.rewrite_keywords(tx, document)
        after = page[-1].path
    with database.transaction() as tx:
        write_meta(tx, KEYWORDS, KEYWORD_FORM)
