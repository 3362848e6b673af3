import { ruleDocuments } from '../../src/protocol/rules/documents.js'
import type { Node } from './declarations.js'
import { Code, childrenOf, type Declared } from './rule-code.js'

/** The parts of the program that keep rules, by their folders. */
const SIDES: ReadonlyArray<readonly [side: string, folder: RegExp]> = [
  ['authorization server', /^src\/servers\/authorization-server\/(?!weak\/)/],
  ['resource server', /^src\/servers\/resource-server\/(?!weak\/)/],
  ['client', /^src\/(?:client(?!\/capture)|flows)\//],
  ['demo client', /^src\/servers\/demo-client\//],
  ['cluster', /^src\/servers\/kubernetes\//],
  ['compression', /^src\/servers\/compression\//],
]

/** The folder of the lab, which composes the servers. Its calls of shared functions are theirs. */
const LAB = /^src\/lab\//

/** The files that refuse a lab file, or remark on it. */
const LAB_FILE =
  /^src\/lab\/(?:lab-file\/|schema\/|certificates\/client-certificate|sites\/assertion-issuers)/

/** Rooms whose functions work for those who call them. */
const shared = /^src\/protocol\/(?:oauth|tokens|http)\//

const RULE =
  /^(?:RFC \d+|OpenID [A-Za-z -]+|OAuth 2\.0 [A-Za-z ]+|SAML 2\.0 [A-Za-z]+|XMLDSig|draft-[a-z0-9-]+) (?:§|Appendix )[A-Z0-9.]+$/

const nameOf = (node: unknown) => (node as { name?: string } | undefined)?.name
const textOf = (node: unknown) => {
  const value = (node as { value?: unknown } | undefined)?.value
  return typeof value === 'string' ? value : undefined
}

/** The value of a member of an object that is written there. */
function memberOf(object: Node, name: string): Node | undefined {
  const property = (object.properties as Node[]).find(each => nameOf(each.key) === name)
  return property?.value as Node | undefined
}

/** One use of a rule: the error, event or check that it belongs to; undefined for a decision without a name. */
interface Use {
  readonly rule: string
  readonly label: string | undefined
}

/** Finds the rules that one declaration cites. */
class Citations {
  readonly #local = new Map<string, readonly string[]>()
  readonly uses: Use[] = []

  constructor(
    readonly code: Code,
    readonly declared: Declared,
  ) {
    this.#collect(declared.node)
    this.#visit(declared.node, undefined)
  }

  /** Keeps the rules of variables and default values. */
  #collect(node: Node): void {
    const [left, value] = node.type === 'VariableDeclarator' ? [node.id, node.init] : [node.left, node.right]
    const name = nameOf(left)
    if ((node.type === 'VariableDeclarator' || node.type === 'AssignmentPattern') && name && value) {
      const rules = this.#rulesIn(value as Node)
      if (rules.length > 0) this.#local.set(name, rules)
    }
    for (const child of childrenOf(node)) this.#collect(child)
  }

  /** The rules that an expression is made of, without those inside calls and objects. */
  #rulesIn(node: Node): readonly string[] {
    const text = textOf(node)
    if (node.type === 'Literal') return text !== undefined && RULE.test(text) ? [text] : []
    if (node.type === 'TemplateLiteral') return this.#template(node)
    if (node.type === 'Identifier') return this.#named(String(node.name))
    if (node.type === 'ConditionalExpression')
      return [...this.#rulesIn(node.consequent as Node), ...this.#rulesIn(node.alternate as Node)]
    if (node.type === 'LogicalExpression')
      return [...this.#rulesIn(node.left as Node), ...this.#rulesIn(node.right as Node)]
    if (node.type === 'TSAsExpression') return this.#rulesIn(node.expression as Node)
    return []
  }

  #template(node: Node): string[] {
    const [quasi] = node.quasis as { value: { cooked: string } }[]
    if (quasi?.value.cooked !== '') return []
    const [first] = node.expressions as Node[]
    const rest = (node.quasis as { value: { cooked: string } }[])[1]?.value.cooked ?? ''
    const constant = first?.type === 'Identifier' && this.code.find(this.declared.file, String(first.name))
    const text = constant ? textOf(constant.node.init) : undefined
    return text !== undefined && RULE.test(text + rest) ? [text + rest] : []
  }

  #named(name: string): readonly string[] {
    const own = this.#local.get(name)
    if (own) return own
    const constant = this.code.find(this.declared.file, name)
    const text = constant?.node.type === 'VariableDeclarator' ? textOf(constant.node.init) : undefined
    return text !== undefined && RULE.test(text) ? [text] : []
  }

  /** The error, event or check of a call or an object; undefined where it names none. */
  #label(node: Node): string | undefined {
    if (node.type === 'ObjectExpression') {
      const type = textOf(memberOf(node, 'type'))
      const named = textOf(memberOf(node, 'error')) ?? textOf(memberOf(node, 'code'))
      return type?.includes('.') ? type : named
    }
    if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return undefined
    const [first] = node.arguments as Node[]
    const literal = first && textOf(first)
    if (literal !== undefined && /^[a-z]+(?:_[a-z]+)*$/.test(literal)) return literal
    const name = nameOf(node.callee)
    return name === undefined ? undefined : madeBy(this.code, this.declared.file, name)
  }

  #visit(node: Node, label: string | undefined): void {
    if (node.type === 'VariableDeclarator' && node !== this.declared.node && this.#isRule(node.init)) return
    if (node.type === 'AssignmentPattern' || node.type.startsWith('TS')) {
      if (node.type !== 'TSAsExpression' && node.type !== 'TSSatisfiesExpression') return
    }
    if (node.type === 'Property' && nameOf(node.key) === 'rfc') return
    const own = this.#label(node) ?? label
    if (['Literal', 'TemplateLiteral', 'Identifier'].includes(node.type)) {
      for (const rule of this.#rulesIn(node)) this.uses.push({ rule, label })
    }
    // The name of a member is no use of a variable of that name.
    const children = node.type === 'Property' ? [node.value as Node] : childrenOf(node)
    for (const child of children) this.#visit(child, own)
  }

  #isRule(init: unknown): boolean {
    return init !== null && init !== undefined && this.#rulesIn(init as Node).length > 0
  }
}

const CODE_WORD = /^[a-z]+(?:_[a-z]+)*$/

/** The errors and checks that a function makes by name, also through functions whose names say that they refuse. */
function collectMade(code: Code, declared: Declared, name: string, depth: number): Set<string> {
  const made = new Set<string>()
  const visit = (node: Node): void => {
    const callee = nameOf(node.callee)
    if (callee && (node.type === 'NewExpression' || node.type === 'CallExpression')) {
      const text = textOf((node.arguments as Node[])[0])
      const maker = node.type === 'NewExpression' || /^(?:check|advice)$/.test(callee)
      if (maker && text !== undefined && CODE_WORD.test(text)) made.add(text)
      else if (callee !== name && /^(?:invalid|refus|unavailable)/.test(callee)) {
        const inner = madeBy(code, declared.file, callee, depth + 1)
        if (inner) made.add(inner)
      }
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(declared.node)
  return made
}

const known = new WeakMap<Declared, string | undefined>()

/** The error or check that a function makes by name; undefined where it makes none, or more than one. */
function madeBy(code: Code, file: string, name: string, depth = 0): string | undefined {
  const declared = depth < 3 ? code.find(file, name) : undefined
  if (declared === undefined) return undefined
  if (!known.has(declared)) {
    const made = collectMade(code, declared, name, depth)
    known.set(declared, made.size === 1 ? [...made][0] : undefined)
  }
  return known.get(declared)
}

/** The sides of a shared function; one for all where client and servers use it. */
function sidesOf(users: ReadonlySet<string>): Iterable<string> {
  return users.has('client') && users.size > 1 ? ['either side'] : users
}

/** Returns where the sources cite each rule: side, then errors, events and checks. */
function rulePlaces(): Map<string, Map<string, Set<string>>> {
  const code = new Code()
  const places = new Map<string, Map<string, Set<string>>>()
  const users = new Map<Declared, Set<string>>()
  const add = (side: string, declared: Declared): void => {
    for (const { rule, label } of new Citations(code, declared).uses) {
      const sides = places.get(rule) ?? new Map<string, Set<string>>()
      places.set(rule, sides.set(side, (sides.get(side) ?? new Set()).add(label ?? '')))
    }
  }
  for (const [side, folder] of SIDES) {
    const files = code.files.filter(file => folder.test(file))
    for (const declared of files.flatMap(file => code.declaredIn(file))) add(side, declared)
    for (const declared of code.reached(files, file => shared.test(file))) {
      users.set(declared, (users.get(declared) ?? new Set()).add(side))
    }
  }
  for (const [declared, sides] of users) for (const side of sidesOf(sides)) add(side, declared)
  const ofLab = code.files.filter(file => LAB.test(file)).flatMap(file => code.declaredIn(file))
  for (const declared of ofLab) add('lab', declared)
  for (const declared of ofLab.filter(({ file }) => LAB_FILE.test(file))) {
    for (const rule of rulesInMessages(declared.node)) {
      places.set(rule, (places.get(rule) ?? new Map<string, Set<string>>()).set('lab file', new Set()))
    }
  }
  addFollowed(places, code)
  return places
}

const RULES = new Set(
  Object.entries(await ruleDocuments()).flatMap(([name, { must, other }]) =>
    Object.keys({ ...must, ...other }).map(section => `${name} ${section}`),
  ),
)

const NAMED =
  /(RFC \d{4,5}|OpenID Connect [A-Z][A-Za-z-]*(?: [A-Z][a-z]+)*) ((?:§[\d.]*\d)(?:(?:,| and|, and| or) §[\d.]*\d)*)/g

/** The sections of the registry that a comment names, such as both of `RFC 6749 §4.1.2 and §10.5`. */
function namedIn(comment: string): string[] {
  const found = [...comment.matchAll(NAMED)].flatMap(([, document, sections = '']) =>
    [...sections.matchAll(/§[\d.]*\d/g)].map(([section]) => `${document} ${section}`),
  )
  return found.filter(rule => RULES.has(rule))
}

/** Helpers of the schema whose last argument is the description of a member. */
const DESCRIBING = new Set(['flag', 'optionalText', 'oneOf', 'list'])

/** The rules that messages about a lab file name. The description of a member is no message. */
function rulesInMessages(node: Node): string[] {
  const callee = node.type === 'CallExpression' ? node.callee : undefined
  const { property } = (callee ?? {}) as { property?: unknown }
  if (nameOf(property) === 'describe') return rulesInMessages((callee as { object: Node }).object)
  if (DESCRIBING.has(nameOf(callee) ?? '')) {
    return (node.arguments as Node[]).slice(0, -1).flatMap(rulesInMessages)
  }
  const { cooked } = (node.type === 'TemplateElement' ? node.value : {}) as { cooked?: string }
  const said = node.type === 'Literal' ? textOf(node) : cooked
  return [...namedIn(said ?? ''), ...childrenOf(node).flatMap(rulesInMessages)]
}

/**
 * Adds the sides whose comments name a rule, where their code does not cite it already. Without the files, so that the
 * index does not change with every comment.
 */
function addFollowed(places: Map<string, Map<string, Set<string>>>, code: Code): void {
  const rooms = [
    ...SIDES,
    ['lab', /^src\/(?:lab|session\/(?:targets|runs))\//],
    ['either side', shared],
  ] as const
  for (const [side, folder] of rooms) {
    for (const file of code.files.filter(each => folder.test(each))) {
      for (const rule of code.commentsIn(file).flatMap(namedIn)) {
        const sides = places.get(rule) ?? new Map<string, Set<string>>()
        if (sides.has(side)) continue
        const followed = `in ${side}`
        places.set(rule, sides.set(followed, new Set()))
      }
    }
  }
}

/** The index of the sources: a rule a line, then each side with its errors, events and checks. */
export function placesIndex(): string {
  const lines = [...rulePlaces()].map(([rule, sides]) => {
    const each = [...sides].map(([side, labels]) => {
      const named = [...labels].filter(label => label !== '').sort()
      return ` | ${side}${named.length === 0 ? '' : `: ${named.join(', ')}`}`
    })
    return `${rule}${each.join('')}\n`
  })
  return lines.sort(new Intl.Collator('en', { numeric: true }).compare).join('')
}
