"""python3 classes.py REPOSITORY [NAME]: no class of src and include has more than 15 data members or 25 functions.

Counts the declarations in the body of each class and struct: every overload, constructors, private functions. Not
counted: destructors, what is defaulted, deleted or deprecated, friends, types, static constants, inherited members.
Records, structs of public data without a constructor and with at most two functions, have no limit of members: their
members do not depend on each other. With NAME, prints the members and functions of the classes of that name, with `all`
the numbers of all classes."""
import pathlib
import re
import sys

MEMBERS, FUNCTIONS = 15, 25
# Interfaces of the library whose names others rely on, and their private data.
FACADES = {'Stepper', 'Stepper::Impl', 'StepperOptions', 'Body', 'Body::Impl', 'System', 'BdfScheme'}
COMMENTS = r'//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])\''
HEAD = re.compile(r'(?<!enum )\b(class|struct)\s+(?:GEARSHIFT_\w+\s+|alignas\s*\([^()]*\)\s*|\[\[.*?\]\]\s*)*'
                  r'([\w:]+)\s*(?:<[^;{}]*?>)?\s*(?:final)?\s*(?::[^:;{}()][^;{}]*)?\{')


def plain(text):
    """text without comments, preprocessor lines and the contents of strings"""
    text = re.sub(COMMENTS, lambda m: '""' if m[0].endswith('"') else ' ', text, flags=re.S)
    return re.sub(r'^[ \t]*#(?:[^\n\\]|\\.|\\\n)*', '', text, flags=re.M)


def closing(text, at):
    """the position after the bracket that closes the one at `at`"""
    depth = 0
    for i in range(at, len(text)):
        depth += {'{': 1, '(': 1, '}': -1, ')': -1}.get(text[i], 0)
        if depth == 0:
            return i + 1
    return len(text)


def without_bodies(text):
    """Replaces what stands within braces, and the text within parentheses, by nothing."""
    out, i = [], 0
    while i < len(text):
        out.append(text[i])
        if text[i] in '{(':
            end = closing(text, i)
            out.append('}' if text[i] == '{' else ')')
            i = end
        else:
            i += 1
    return ''.join(out)


def declarations(body):
    """Returns the declarations of a class body, the brackets in them emptied."""
    body = re.sub(r'\b(public|private|protected)\s*:(?!:)', ';', without_bodies(body))
    function = (r'\)\s*(?:const|noexcept|override|final|requires[^{;]*|->[^{;]*|:[^;]*?[\w>]\s*[({][)}]\s*|\s)*'
                r'\{\}(?!\s*[,{;])')
    body = re.sub(function, '){};', body)
    return [' '.join(d.split()) for d in body.split(';')]


def without_templates(text):
    text = re.sub(r'operator\s*(\(\)|[<>=!]+|[^\w\s(]+)', 'operator', text)
    while '<' in text:
        shorter = re.sub(r'<[^<>]*>', '', text)
        if shorter == text:
            break
        text = shorter
    return text


def count(name, body):
    data, functions = [], []
    for text in declarations(body):
        text = without_templates(text)
        text = re.sub(r'^template\b', '', text).strip()
        if not text or re.match(r'(friend|using|typedef|static_assert)\b', text) or 'deprecated' in text:
            continue
        if re.search(r'=\s*(default|delete)$', text) or re.match(r'(inline )?(static )?constexpr (?!.*\()', text):
            continue
        text = re.sub(r'\[\[[^\]]*\]\]', '', text).strip()
        if re.match(r'(class|struct|union|enum)\b[^(]*\{\}', text):
            text = text.rsplit('}', 1)[1]  # objects of the type
            data += [n for n in text.split(',') if n.strip()]
        elif '(' in text.split('=')[0].split('{')[0] and not re.search(r'\w \(\)\(\)|\(\)\[', text):
            if '~' not in text and text != '(){}':
                functions.append(text)
        elif not re.match(r'(class|struct|union|enum)\b \w+$', text):
            data += [n for n in re.sub(r'\{\}|=[^,]*', '', text).split(',') if n.strip()]
    return data, functions


def classes(text):
    """Yields the class or struct, its name with those around it, and its body."""
    inside = []
    for m in HEAD.finditer(text):
        inside = [(end, name) for end, name in inside if end > m.start()]
        end = closing(text, m.end() - 1)
        inside.append((end, m[2]))
        yield m[1], '::'.join(name for _, name in inside), text[m.end():end - 1]


def is_record(kind, name, functions):
    """True for a struct of data: no constructor, and two functions or fewer."""
    constructor = re.compile(rf'(explicit )?{name}\(')
    return kind == 'struct' and len(functions) <= 2 and not any(constructor.match(f) for f in functions)


def main():
    root = pathlib.Path(sys.argv[1])
    chosen = sys.argv[2] if len(sys.argv) > 2 else ''
    found, failed = 0, False
    files = [p for folder in ('include', 'src') for p in (root / folder).rglob('*.?pp')]
    for path in sorted(files):
        for kind, name, body in classes(plain(path.read_text())):
            found += 1
            data, functions = count(name, body)
            if chosen in ('all', name):
                print(len(data), len(functions), name, path.relative_to(root))
            if chosen == name:
                print(data, functions, sep='\n')
            long = len(data) > MEMBERS and not is_record(kind, name.split('::')[-1], functions)
            if name not in FACADES and (long or len(functions) > FUNCTIONS):
                print(f'error: {path.relative_to(root)}: {name} has {len(data)} members and {len(functions)} functions')
                failed = True
    if found < 500:
        print(f'error: only {found} classes found')
        failed = True
    return failed


if __name__ == '__main__':
    sys.exit(main())
