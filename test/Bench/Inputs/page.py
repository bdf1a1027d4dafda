"""Checks that a page is well-formed, as XML and as HTML, and stands alone."""

import html.parser
import sys
import xml.etree.ElementTree as tree

VOID = {"meta", "br"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.seen = set()

    def handle_starttag(self, tag, attributes):
        self.seen.add(tag)
        self.open.append(tag)
        for name, value in attributes:
            assert name not in ("src", "href") and not name.startswith("on"), name

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, tag


text = open(sys.argv[1], encoding="utf-8").read()
tree.fromstring(text)
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert not page.seen & {"script", "link", "img", "iframe"}, page.seen
assert "@import" not in text and "url(" not in text
assert "prefers-color-scheme: dark" in text
print("page:", " ".join(sorted(page.seen)))
