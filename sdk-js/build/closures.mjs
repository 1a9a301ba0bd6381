import { parseAst } from 'rolldown/parseAst';

/**
 * Turns the bundle's internal classes into functions that close over their fields, and its function
 * declarations into arrow functions: what is a local variable a minifier can rename, inline and
 * drop; what is a member it cannot. Behaviour stays the same, since anything out of the ordinary
 * (an exported class, `extends`, a static or computed member, a use of `this` that is not understood)
 * is left alone or fails the build, and since all of it goes to the top of the module, where
 * declarations are hoisted to. The integration tests run what comes out of this.
 */
export function toClosures(code) {
  const { body } = parseAst(code);
  const exported = exportedNames(body);
  const classes = body.filter((node) => isClass(node) && !exported.has(nameOf(node)));
  const functions = body.filter((node) => node.type === 'FunctionDeclaration' && isPlain(node));
  const imports = body.filter(({ type }) => type === 'ImportDeclaration');
  const moved = new Set([...imports, ...classes, ...functions]);
  const text = new Text(code);
  const names = new Set(classes.map(nameOf));
  walk(body, (node) => {
    if (node.type === 'NewExpression' && names.has(node.callee.name)) {
      text.replace(node.start, node.callee.start, '');
    }
  });
  const factories = classes.map(
    (node) => `const ${nameOf(node)} = ${factory(classNode(node), text)};`,
  );
  const arrows = functions.map((node) => `const ${node.id.name} = ${arrow(node, text)};`);
  const { early, late } = split(
    body.filter((node) => !moved.has(node)),
    new Set([...names, ...functions.map(nameOf)]),
  );
  return [
    ...[...imports, ...early].map((node) => text.of(node)),
    ...arrows,
    ...factories,
    ...late.map((node) => text.of(node)),
  ].join('\n');
}

/**
 * Constants whose making needs none of the moved functions come before these: a minifier inlines
 * only what is surely set.
 */
function split(statements, needed) {
  const early = [];
  const late = [];
  for (const node of statements) {
    let waits = node.type !== 'VariableDeclaration';
    walk(node, (inner) => {
      if (inner.type === 'Identifier' && needed.has(inner.name)) waits = true;
      return true;
    });
    (waits ? late : early).push(node);
    if (!waits || node.type !== 'VariableDeclaration') continue;
    walk(
      node.declarations.map(({ id }) => id),
      ({ name }) => needed.add(name),
    );
  }
  return { early, late };
}

/** The source, with replacements of parts that do not overlap. */
class Text {
  #code;
  #replacements = new Map();

  constructor(code) {
    this.#code = code;
  }

  replace(start, end, by) {
    this.#replacements.set(start, { end, by });
  }

  of({ start, end }) {
    let text = '';
    for (let at = start; at < end;) {
      const found = this.#replacements.get(at);
      text += found === undefined ? this.#code[at] : found.by;
      at = found === undefined ? at + 1 : found.end;
    }
    return text;
  }
}

function exportedNames(body) {
  const specifiers = body.flatMap((node) =>
    node.type === 'ExportNamedDeclaration' ? node.specifiers : [],
  );
  return new Set(specifiers.map(({ local }) => local.name));
}

/** `class X {}` and `var X = class {}`, which is how the bundler writes it. */
function isClass(node) {
  return classNode(node) !== undefined;
}

function classNode(node) {
  if (node.type === 'ClassDeclaration') return node;
  const init = node.type === 'VariableDeclaration' ? node.declarations[0]?.init : undefined;
  return node.declarations?.length === 1 && init?.type === 'ClassExpression' ? init : undefined;
}

function nameOf(node) {
  return node.id?.name ?? node.declarations[0].id.name;
}

function walk(node, visit) {
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit);
  } else if (node !== null && typeof node === 'object') {
    if (typeof node.type === 'string' && visit(node) === false) return;
    for (const child of Object.values(node)) walk(child, visit);
  }
}

/** A function that an arrow function can stand for. */
function isPlain(node) {
  let plain = !node.generator;
  walk(node.body, (inner) => {
    if (inner.type === 'ThisExpression' || inner.name === 'arguments') plain = false;
    return inner.type !== 'FunctionExpression' && inner.type !== 'FunctionDeclaration';
  });
  return plain;
}

function parameters(fn, text) {
  return fn.params.map((param) => text.of(param)).join(', ');
}

function arrow(fn, text) {
  return `${fn.async ? 'async ' : ''}(${parameters(fn, text)}) => ${text.of(fn.body)}`;
}

let classCount = 0;

/** A class as a function that returns what is public of it. */
function factory(node, text) {
  if (node.superClass !== null) throw new Error('a class with a parent stays a class');
  const members = node.body.body;
  const ordinary = ({ type, computed, static: isStatic }) =>
    (type === 'PropertyDefinition' || type === 'MethodDefinition') && !computed && !isStatic;
  if (!members.every(ordinary)) throw new Error('a member that is not understood');
  const prefix = `c${(classCount += 1)}`;
  const local = ({ type, name }) => `${prefix}${type === 'PrivateIdentifier' ? '_' : '$'}${name}`;
  const constructor = members.find(({ kind }) => kind === 'constructor')?.value;
  const methods = members.filter(({ kind }) => kind === 'method');
  const getters = members.filter(({ kind }) => kind === 'get');
  const fields = members.filter(({ type }) => type === 'PropertyDefinition');
  const known = new Map(
    [...methods, ...fields].map(({ key }) => [`${key.type} ${key.name}`, local(key)]),
  );
  const taken = constructor === undefined ? new Set() : takeParameters(constructor, known, text);
  renameMembers(members, known, { text, prefix });
  if (constructor !== undefined) returnSelf(constructor.body, prefix, text);
  const isPublic = ({ key }) => key.type === 'Identifier';
  const shown = [
    ...methods.filter(isPublic).map(({ key }) => `${key.name}: ${local(key)}`),
    ...fields.filter(isPublic).map(({ key, value }) =>
      // A field that holds a function is never set again; another one may be, so it is asked.
      value?.type === 'ArrowFunctionExpression'
        ? `${key.name}: ${local(key)}`
        : `get ${key.name}() { return ${local(key)}; }`,
    ),
    ...getters.map(({ key, value }) => `get ${key.name}() ${text.of(value.body)}`),
  ];
  const lines = [
    ...methods.map(({ key, value }) => `const ${local(key)} = ${arrow(value, text)};`),
    ...fields
      .filter(({ key }) => !taken.has(local(key)))
      .map(({ key, value }) =>
        value === null ? `let ${local(key)};` : `let ${local(key)} = ${text.of(value)};`,
      ),
    `const ${prefix}_self = { ${shown.join(', ')} };`,
    constructor === undefined ? '' : text.of(constructor.body).slice(1, -1),
    `return ${prefix}_self;`,
  ];
  return `(${constructor === undefined ? '' : parameters(constructor, text)}) => {\n${lines.join('\n')}\n}`;
}

/** `this.#name` and `this.name` become the local; a bare `this` the public object. */
function renameMembers(members, known, { text, prefix }) {
  for (const member of members) {
    const inner =
      member.value?.type === 'FunctionExpression'
        ? [member.value.params, member.value.body]
        : [member.value];
    walk(inner, (node) => {
      // A function of its own has its own `this`.
      if (node.type === 'FunctionExpression' || node.type === 'FunctionDeclaration') return false;
      if (node.type === 'MemberExpression' && node.object.type === 'ThisExpression') {
        const name = known.get(`${node.property.type} ${node.property.name}`);
        if (name === undefined && node.property.type === 'PrivateIdentifier') {
          throw new Error(`unknown member #${node.property.name}`);
        }
        text.replace(node.start, node.end, name ?? `${prefix}_self.${node.property.name}`);
        return false;
      }
      if (node.type === 'ThisExpression') text.replace(node.start, node.end, `${prefix}_self`);
      return true;
    });
  }
}

/**
 * `this.#field = parameter` in the constructor: the parameter itself becomes the field. Returns the
 * locals that need no declaration of their own.
 */
function takeParameters(constructor, known, text) {
  const taken = new Set();
  const names = new Set(constructor.params.map(({ name }) => name));
  for (const { type, expression, start, end } of constructor.body.body) {
    if (type !== 'ExpressionStatement' || expression.type !== 'AssignmentExpression') continue;
    const { left, right } = expression;
    if (left.object?.type !== 'ThisExpression' || !names.delete(right.name)) continue;
    const local = known.get(`${left.property.type} ${left.property.name}`);
    if (local === undefined || isShadowed(constructor.body, right.name)) continue;
    taken.add(local);
    text.replace(start, end, '');
    renameReferences(constructor, right.name, local, text);
  }
  return taken;
}

/** Something inside declares the same name, or sets it. */
function isShadowed(body, name) {
  let shadowed = false;
  walk(body, (node) => {
    if (node.params?.some((param) => mentions(param, name))) shadowed = true;
    if (node.type === 'VariableDeclarator' && mentions(node.id, name)) shadowed = true;
    if (node.type === 'AssignmentExpression' && node.left.name === name) shadowed = true;
    return true;
  });
  return shadowed;
}

function mentions(pattern, name) {
  let found = false;
  walk(pattern, (node) => {
    if (node.type === 'Identifier' && node.name === name) found = true;
    return true;
  });
  return found;
}

function renameReferences(constructor, name, local, text) {
  walk([constructor.params, constructor.body], (node) => {
    if (node.type === 'MemberExpression' && !node.computed) {
      renameReferences({ params: [], body: node.object }, name, local, text);
      return false;
    }
    if (node.type === 'Property' && !node.computed) {
      const written = node.shorthand && node.value.name === name;
      if (written) text.replace(node.start, node.end, `${name}: ${local}`);
      else renameReferences({ params: [], body: node.value }, name, local, text);
      return false;
    }
    if (node.type === 'Identifier' && node.name === name) text.replace(node.start, node.end, local);
    return true;
  });
}

/** An early `return` of a constructor. */
function returnSelf(body, prefix, text) {
  walk(body, (node) => {
    if (/Function/.test(node.type)) return false;
    if (node.type === 'ReturnStatement')
      text.replace(node.start, node.end, `return ${prefix}_self;`);
    return true;
  });
}
