"""Messages: code names a key and its fields, and catalogs supply the text."""

from pitbook.text.catalog import languages as languages
from pitbook.text.sentences import Sentence as Sentence
from pitbook.text.sentences import average as average
from pitbook.text.sentences import capital as capital
from pitbook.text.sentences import in_currency as in_currency
from pitbook.text.sentences import in_language as in_language
from pitbook.text.sentences import locale_of as locale_of
from pitbook.text.sentences import say as say
from pitbook.text.sentences import sentence_of as sentence_of
from pitbook.text.sentences import sentences_in as sentences_in
from pitbook.text.sentences import subkeys as subkeys
