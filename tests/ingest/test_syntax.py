"""Chunking of source code by the grammar of its language."""

import io
import json

import pytest

from ingest import ChunkSettings, LoadedText, Piece, chunk, load_bytes
from ingest.chunking.grammars.parser_child import serve
from ingest.chunking.grammars.parsing import has_grammar
from ingest.chunking.grammars.syntax import GRAMMARS, Start, parse, qualified_name


def starts(text: str, language: str, size: int) -> list[Start] | None:
    found = parse(text, language, size)
    return found and found.starts


def outline(text: str, language: str, size: int = 10) -> list[tuple[str, str]]:
    """The first line and the path of each section but the first."""
    found = starts(text, language, size)
    assert found is not None
    assert [at for at, *_ in found] == sorted({at for at, *_ in found})
    return [(text[at:].split("\n", 1)[0].strip(), " > ".join(path)) for at, path, _ in found]


def cut(text: str, language: str, size: int = 1000) -> list[Piece]:
    return chunk(LoadedText(text, "code", "utf-8", language), ChunkSettings(size, 0))


_PYTHON = '''"""Module."""
import os

# About the function.

# Directly above.
@decorated(
    1,
)
def top(a, b):
    """Doc.

def neither():
    """
    def inner():
        return 1
    return inner

class Thing(Base):
    """A thing."""
    size = 3

    def method(self):
        return 1  # done

    later = 4
    # About the other.
    @property
    async def other(self):
        return 2

    class Inner:
        def deep(self): ...

LIMIT = 3
if LIMIT:
    def guarded(): ...
else:
    LIMIT = 4
'''


def test_python():
    assert outline(_PYTHON, "python") == [
        ("# About the function.", "top"),
        ("class Thing(Base):", "Thing"),
        ("def method(self):", "Thing > method"),
        ("later = 4", "Thing"),
        ("# About the other.", "Thing > other"),
        ("class Inner:", "Thing > Inner"),
        ("def deep(self): ...", "Thing > Inner > deep"),
        ("LIMIT = 3", ""),
        ("def guarded(): ...", "guarded"),
        ("else:", ""),
    ]


@pytest.mark.parametrize(
    "language, text, expected",
    [
        pytest.param(
            "javascript",
            "import x from 'y';\n/** Doc. */\n"
            "@dec\nexport default class Foo extends Bar {\n  x = 1;\n"
            "  // About a.\n  a(b) { return 1; }\n"
            "  static async *gen() {}\n  go = (e) => { e(); };\n}\n"
            "export const add = (a, b) => {\n  return a + b;\n"
            "};\nmodule.exports.run = function () {};\n"
            "const table = {\n  a: 1,\n};\nfunction* it() {}\n",
            [
                ("/** Doc. */", "Foo"),
                ("// About a.", "Foo > a"),
                ("static async *gen() {}", "Foo > gen"),
                ("go = (e) => { e(); };", "Foo > go"),
                ("export const add = (a, b) => {", "add"),
                ("module.exports.run = function () {};", "module.exports.run"),
                ("const table = {", ""),
                ("function* it() {}", "it"),
            ],
            id="javascript",
        ),
        pytest.param(
            "typescript",
            "@Component({a: 1})\nexport class Foo<T> extends Bar {\n  private x = 1;\n  @Dec()\n"
            "  method<T>(a: T): void { }\n}\nabstract class Abs {\n  abstract foo(): void;\n}\n"
            "interface Shape {\n  area(): number;\n}\ntype Alias = {\n  a: string;\n};\n"
            "namespace NS {\n  export function inner(): void {}\n}\n"
            'declare module "x" {\n  function y(): void;\n}\n',
            [
                ("@Component({a: 1})", "Foo"),
                ("@Dec()", "Foo > method"),
                ("abstract class Abs {", "Abs"),
                ("abstract foo(): void;", "Abs > foo"),
                ("interface Shape {", "Shape"),
                ("area(): number;", "Shape > area"),
                ("type Alias = {", "Alias"),
                ("namespace NS {", "NS"),
                ("export function inner(): void {}", "NS > inner"),
                ('declare module "x" {', '"x"'),
                ("function y(): void;", '"x" > y'),
            ],
            id="typescript",
        ),
        pytest.param(
            "tsx",
            "export const App = () => {\n  return <div>hi</div>;\n};\n",
            [("export const App = () => {", "App")],
            id="tsx",
        ),
        pytest.param(
            "java",
            "package a.b;\n/** Doc. */\n@Entity\npublic final class Main<T> extends Base {\n"
            "  int x = 3;\n  public Main(int a) { }\n  @Override\n  void x() throws E {}\n"
            "  interface In {\n    void m();\n  }\n  record P(int x) { }\n"
            "  enum Color {\n    RED;\n    void z() {}\n  }\n}\n",
            [
                ("/** Doc. */", "Main"),
                ("public Main(int a) { }", "Main > Main"),
                ("@Override", "Main > x"),
                ("interface In {", "Main > In"),
                ("void m();", "Main > In > m"),
                ("record P(int x) { }", "Main > P"),
                ("enum Color {", "Main > Color"),
                ("void z() {}", "Main > Color > z"),
            ],
            id="java",
        ),
        pytest.param(
            "go",
            "package main\n\n// Server serves.\ntype Server struct {\n\taddr string\n}\n"
            "func (s *Server) Run(a int) error {\n\treturn nil\n"
            "}\nfunc (l List[T]) Len() int {\n}\n"
            "func main() {\n}\nvar x = 1\n",
            [
                ("// Server serves.", "Server"),
                ("func (s *Server) Run(a int) error {", "Server > Run"),
                ("func (l List[T]) Len() int {", "List > Len"),
                ("func main() {", "main"),
                ("var x = 1", ""),
            ],
            id="go",
        ),
        pytest.param(
            "rust",
            "use a::b;\n/// Doc.\n#[derive(Debug)]\npub(crate) struct X { a: u8 }\n"
            "impl<T> Foo for X<T> {\n    const A: u8 = 1;\n    /// x\n    #[inline]\n"
            "    fn x(&self) -> u8 { 1 }\n}\nimpl X {\n    pub fn new() -> Self {}\n}\n"
            "mod tests {\n    #[test]\n    fn t() {}\n}\nmacro_rules! m {\n    () => {}\n}\n"
            'extern "C" {\n    fn c();\n}\nstatic S: u8 = 1;\n',
            [
                ("/// Doc.", "X"),
                ("impl<T> Foo for X<T> {", "Foo for X<T>"),
                ("/// x", "Foo for X<T> > x"),
                ("impl X {", "X"),
                ("pub fn new() -> Self {}", "X > new"),
                ("mod tests {", "tests"),
                ("#[test]", "tests > t"),
                ("macro_rules! m {", "m"),
                ('extern "C" {', ""),
                ("fn c();", "c"),
                ("static S: u8 = 1;", ""),
            ],
            id="rust",
        ),
        pytest.param(
            "c",
            "#ifndef A_H\n#include <x.h>\n/* About. */\nstatic int\nfoo(int a, char *b)\n{\n}\n"
            "struct point *make(void)\n{\n}\nstruct forward;\nstruct point { int x; };\n"
            "typedef struct {\n  int y;\n} P;\nint (*fp(int a))(int) { }\n"
            "#ifdef X\nint one(void) { }\n#else\n"
            "int two(void) { }\n#endif\nint decl(int);\n#endif\n",
            [
                ("/* About. */", "foo"),
                ("struct point *make(void)", "make"),
                ("struct forward;", ""),
                ("struct point { int x; };", "point"),
                ("typedef struct {", "P"),
                ("int (*fp(int a))(int) { }", "fp"),
                ("#ifdef X", ""),
                ("int one(void) { }", "one"),
                ("#else", ""),
                ("int two(void) { }", "two"),
                ("int decl(int);", ""),
            ],
            id="c",
        ),
        pytest.param(
            "cpp",
            "namespace ns {\n// About.\n"
            "template <typename T>\nclass Cls final : public Base {\n public:\n"
            "  Cls(int a) : x(a) { }\n  int method(int x) const { return 1; }\n"
            "  bool operator==(const Cls& o) const { return true; }\n};\n}\n"
            "void Cls::method(int x) const {\n}\nstd::vector<int>& Foo::bar() { }\nCls::~Cls() {}\n"
            "enum class E { A };\n",
            [
                ("namespace ns {", "ns"),
                ("// About.", "ns > Cls"),
                ("public:", "ns > Cls > Cls"),
                ("int method(int x) const { return 1; }", "ns > Cls > method"),
                ("bool operator==(const Cls& o) const { return true; }", "ns > Cls > operator=="),
                ("void Cls::method(int x) const {", "Cls::method"),
                ("std::vector<int>& Foo::bar() { }", "Foo::bar"),
                ("Cls::~Cls() {}", "Cls::~Cls"),
                ("enum class E { A };", "E"),
            ],
            id="cpp",
        ),
        pytest.param(
            "csharp",
            "using System;\nnamespace A.B {\n  /// <summary>x</summary>\n  [Serializable]\n"
            "  public class Foo<T> : Bar where T : class {\n    private int x;\n"
            "    public Foo(int a) : base(a) { }\n"
            "    [Test]\n    public async Task<int> M(int a) => 1;\n"
            "    public int this[int i] => 1;\n    public int P {\n      get { return 1; }\n    }\n"
            "    struct S { }\n  }\n}\n",
            [
                ("namespace A.B {", "A.B"),
                ("/// <summary>x</summary>", "A.B > Foo"),
                ("public Foo(int a) : base(a) { }", "A.B > Foo > Foo"),
                ("[Test]", "A.B > Foo > M"),
                ("public int this[int i] => 1;", "A.B > Foo > public int this[int i]"),
                ("public int P {", "A.B > Foo > P"),
                ("struct S { }", "A.B > Foo > S"),
            ],
            id="csharp",
        ),
        pytest.param(
            "ruby",
            "require 'x'\nmodule Tool\n  # About A.\n  class A < Base\n    attr_reader :x\n"
            "    def initialize(a)\n    end\n    def self.make(b)\n    end\n    private\n"
            "    class << self\n      def z; end\n    end\n  end\nend\ndef top(x)\nend\nputs 1\n",
            [
                ("module Tool", "Tool"),
                ("class A < Base", "Tool > A"),
                ("def initialize(a)", "Tool > A > initialize"),
                ("def self.make(b)", "Tool > A > make"),
                ("private", "Tool > A > class << self"),
                ("def z; end", "Tool > A > class << self > z"),
                ("def top(x)", "top"),
                ("puts 1", ""),
            ],
            id="ruby",
        ),
        pytest.param(
            "php",
            "<html><?php\nnamespace A\\B;\n/** Doc. */\n#[Attr]\nfinal class Foo extends Bar {\n"
            "    private $x = 1;\n    /** m */\n"
            "    public function m(int $a): ?string { return 1; }\n}\n"
            "function top($x) { }\n$f = function() {};\nif (true) {\n"
            "    function z() {}\n}\n?>\n<p>hi</p>\n",
            [
                ("namespace A\\B;", "A\\B"),
                ("/** Doc. */", "Foo"),
                ("/** m */", "Foo > m"),
                ("function top($x) { }", "top"),
                ("$f = function() {};", "$f"),
                ("if (true) {", ""),
                ("function z() {}", "z"),
                ("?>", ""),
            ],
            id="php",
        ),
        pytest.param(
            "shell",
            "#!/bin/sh\nset -e\n# About one.\nfunction one() {\n  x\n}\ntwo() {\n  y\n}\nmain\n",
            [("# About one.", "one"), ("two() {", "two"), ("main", "")],
            id="shell",
        ),
        pytest.param(
            "lua",
            "local M = {}\n-- About.\nfunction M.foo(a)\nend\nfunction M:bar() end\n"
            "local function baz() end\nM.qux = function(x) end\n"
            "local cb = function() end\nreturn M\n",
            [
                ("-- About.", "M.foo"),
                ("function M:bar() end", "M:bar"),
                ("local function baz() end", "baz"),
                ("M.qux = function(x) end", "M.qux"),
                ("local cb = function() end", "cb"),
                ("return M", ""),
            ],
            id="lua",
        ),
        pytest.param(
            "kotlin",
            "package a.b\n/** Doc. */\n@Ann\ndata class Foo(val a: Int) : Bar() {\n    val x = 1\n"
            '    fun m(a: Int): String {\n        return ""\n    }\n    companion object {\n'
            "        fun make() = Foo(1)\n    }\n}\nobject O {\n    fun r() {}\n}\n"
            "fun String.ext(): Int = 1\n",
            [
                ("/** Doc. */", "Foo"),
                ("fun m(a: Int): String {", "Foo > m"),
                ("companion object {", "Foo > companion object"),
                ("fun make() = Foo(1)", "Foo > companion object > make"),
                ("object O {", "O"),
                ("fun r() {}", "O > r"),
                ("fun String.ext(): Int = 1", "ext"),
            ],
            id="kotlin",
        ),
        pytest.param(
            "scala",
            "package a.b\n/** Doc. */\n@ann\ncase class Foo[T](a: Int) extends Bar {\n  val x = 1\n"
            '  def m(a: Int): String = { "" }\n}\nobject Foo {\n  def make() = 1\n}\n'
            "trait T {\n  def q(): Unit\n}\ndef top(x: Int) = 1\n",
            [
                ("/** Doc. */", "Foo"),
                ('def m(a: Int): String = { "" }', "Foo > m"),
                ("object Foo {", "Foo"),
                ("def make() = 1", "Foo > make"),
                ("trait T {", "T"),
                ("def q(): Unit", "T > q"),
                ("def top(x: Int) = 1", "top"),
            ],
            id="scala",
        ),
        pytest.param(
            "swift",
            "import X\n/// Doc.\n@objc\npublic class Foo<T>: Bar, P {\n    var x = 1\n"
            '    init(a: Int) { }\n    func m(a: Int) -> String { return "" }\n'
            "    subscript(i: Int) -> Int { return 1 }\n}\nprotocol P {\n    func q()\n}\n"
            "extension Foo: Q {\n    func r() {}\n}\nfunc top() {}\n",
            [
                ("/// Doc.", "Foo"),
                ("init(a: Int) { }", "Foo > init"),
                ('func m(a: Int) -> String { return "" }', "Foo > m"),
                ("subscript(i: Int) -> Int { return 1 }", "Foo > subscript"),
                ("protocol P {", "P"),
                ("func q()", "P > q"),
                ("extension Foo: Q {", "Foo"),
                ("func r() {}", "Foo > r"),
                ("func top() {}", "top"),
            ],
            id="swift",
        ),
    ],
)
def test_definitions(language, text, expected):
    assert outline(text, language) == expected


@pytest.mark.parametrize(
    "language, text, expected",
    [
        (
            "python",
            "class A(B,\n   C):\n  def f(self, x: int = 3) -> T:\n    pass\n",
            "class A(B, C)",
        ),
        ("python", "@dec\nasync def g(a): return 1\n", "async def g(a)"),
        ("java", "class A {\n@Override\nvoid x(int a) throws E {}\n}\n", "void x(int a) throws E"),
        ("javascript", "export const add = (a, b) => {\n};\n", "add = (a, b)"),
        ("go", "type S struct {\n  a int\n}\n", "type S struct"),
        ("c", "static int\nfoo(int a)\n{\n}\n", "static int foo(int a)"),
        (
            "rust",
            "pub fn foo<T>(x: T) -> u8 where T: A { 1 }\n",
            "fn foo<T>(x: T) -> u8 where T: A",
        ),
        ("ruby", "def self.make(b)\n  b\nend\n", "def self.make(b)"),
        ("shell", "one() {\n  x\n}\n", "one()"),
    ],
)
def test_signatures(language, text, expected):
    assert expected in [signature for *_, signature in starts(text, language, 5) or ()]


@pytest.mark.parametrize(
    "language, text, expected",
    [
        ("python", "class A:\n  class B:\n    def f(self): pass\n", "A A.B A.B.f"),
        ("python", "# ü\n@dec\nasync def g(a): return 1\n", "g"),
        ("python", "if x:\n  def f(): pass\nelse:\n  def f(): pass\n", "f f"),
        ("java", "class A { void x() {} class B { int y() {} } }\n", "A A.x A.B A.B.y"),
        ("go", "package a\nfunc (s *Server[T]) Serve(x int) {\n}\n", "Server.Serve"),
        ("rust", "impl Show for Foo<T> {\n fn fmt(&self) {}\n}\n", "Foo Foo.fmt"),
        ("cpp", "namespace a { class B {}; }\nvoid a::B::c() {}\n", "a a.B a.B.c"),
        ("ruby", "class A::B\n def c?\n end\nend\n", "A.B A.B.c?"),
        ("javascript", "class A { m() {} }\nexport const f = (a) => {\n}\n", "A A.m f"),
        ("swift", "extension A {\n subscript(i: Int) -> Int { return 1 }\n}\n", "A A.subscript"),
    ],
)
@pytest.mark.parametrize("size_chars", [5, 5000], ids=["split", "whole"])
def test_qualified_names(language, text, expected, size_chars):
    found = parse(text, language, size_chars)
    assert found is not None
    assert " ".join(name for _, name in found.names) == expected
    for place, name in found.names:
        assert name.rpartition(".")[2] in text[place : place + 50]


def test_a_path_with_a_nameless_part_has_no_qualified_name():
    assert qualified_name(("A", "")) == qualified_name(("A", "subscript(i: Int)")) == ""


@pytest.mark.parametrize("language", ["python", "fortran"])
def test_each_definition_is_named_by_the_piece_where_it_begins(language):
    body = "".join(f"        value_{n} = compute({n})\n" for n in range(30))
    text = f"class Parser(Base):\n    def parse(self):\n{body}\n    def stop(self):\n{body}"
    pieces = cut(text, language, size=300)
    assert [name for piece in pieces for name in piece.defines] == {
        "python": ["Parser", "Parser.parse", "Parser.stop"],
        "fortran": ["Parser"],  # by the layout of its lines, which are at the left edge alone
    }[language]
    for piece in pieces:
        for name in piece.defines:
            assert name.rpartition(".")[2] in piece.text


def test_the_signature_stands_above_the_pieces_that_do_not_begin_with_it():
    body = "".join(f"        value_{n} = compute({n})\n" for n in range(30))
    text = f"class Parser(Base):\n    def parse(self, text: str) -> Tree:\n{body}"
    signature = "def parse(self, text: str) -> Tree"
    found = [piece.headings for piece in cut(text, "python", size=300)]
    assert found == [("Parser",), ("Parser", "parse"), *[("Parser", signature)] * (len(found) - 2)]
    assert len(found) > 3


def test_every_grammar_is_installed_here():
    assert {language: has_grammar(language) for language in GRAMMARS} == dict.fromkeys(
        GRAMMARS, True
    )
    assert not has_grammar("cobol")


def test_a_type_that_fits_is_one_piece_and_its_methods_are_pieces_when_it_does_not():
    methods = "".join(
        f"    def method_{n}(self):\n        first = {n}\n        return compute(first, {n})\n\n"
        for n in range(6)
    )
    text = f'class Small(Base):\n    """Doc."""\n\n{methods}'
    assert [piece.headings for piece in cut(text, "python")] == [("Small",)]
    names = [piece.headings for piece in cut(text, "python", size=120)]
    assert names == [("Small",), *(("Small", f"method_{n}") for n in range(6))]


def test_the_size_of_a_type_is_counted_in_characters():
    text = 'class Names:\n    def a(self):\n        return "' + "漢" * 300 + '"\n'
    assert [path for _, path, _ in starts(text, "python", 400) or ()] == [("Names",)]
    assert len(starts(text, "python", 200) or ()) == 2


def test_offsets_are_of_characters_whatever_stands_before():
    text = '# naïve 漢字 👩\u200d👧\n\ndef eins():\n    return "é"\n\n\ndef zwei():\n    return 2\n'
    assert outline(text, "python") == [("# naïve 漢字 👩\u200d👧", "eins"), ("def zwei():", "zwei")]


@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_line_ends_make_no_difference(end):
    text = _PYTHON.replace("\n", end)
    assert outline(text, "python") == outline(_PYTHON, "python")


def test_a_slip_costs_its_own_definition_only():
    text = "class A {\n  void one() { }\n  void two( { }\n  void three() { }\n}\nclass B { }\n"
    paths = [path for _, path, _ in starts(text, "java", 10) or ()]
    assert ("A", "one") in paths
    assert paths[-1] == ("B",)


def test_definitions_inside_a_line_begin_no_piece():
    assert outline("class A { void a() { } void b() { } }\n", "java") == [
        ("class A { void a() { } void b() { } }", "A")
    ]


def test_deep_nesting_ends():
    depth = 3000
    text = "".join(f"{' ' * n}class C{n} {{\n" for n in range(depth)) + "}\n" * depth
    found = starts(text, "java", 10)
    assert found is not None
    assert max(len(path) for _, path, _ in found) <= 13


@pytest.mark.parametrize("language", sorted(set(GRAMMARS) - {"php", "shell"}))
def test_prose_is_no_code(language):
    """A shell reads nearly every text as commands, and PHP has pages around it."""
    assert (
        starts("The quick brown fox, which is (not) lazy, jumps; it's 3.\n" * 20, language, 9)
        is None
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("def f():\n    pass\n" + "foo bar baz quux\n" * 9, id="mostly-broken"),
        pytest.param("x = '''\n\ndef f():\n    return 1\n", id="unclosed-string"),
    ],
)
def test_broken_code_is_left_to_the_look_of_its_lines(text):
    assert starts(text, "python", 9) is None
    assert "f" in {name for piece in cut(text, "python", size=20) for name in piece.headings}


def test_headers_are_read_as_cpp_and_tsx_as_such():
    for name, language in (("a.h", "cpp"), ("a.tsx", "tsx"), ("a.ts", "typescript")):
        loaded = load_bytes(b"int x;\n", name)
        assert isinstance(loaded, LoadedText)
        assert loaded.language == language


def test_the_child_answers_request_by_request():
    texts = ["def f():\n    pass\n", "prose and prose and prose. " * 9, "def é():\n    pass\n"]
    asked = b"".join(
        json.dumps({"language": "python", "size_chars": 9, "bytes": len(text.encode())}).encode()
        + b"\n"
        + text.encode()
        for text in texts
    )
    answers = io.BytesIO()
    serve(io.BytesIO(asked), answers)
    found = [json.loads(line) for line in answers.getvalue().splitlines()]
    assert found == [
        [[[0, ["f"], "def f()"]], [[0, "f"]]],
        None,
        [[[0, ["é"], "def é()"]], [[0, "é"]]],
    ]
