import { shellWord } from '../../../protocol/safe-output/shell.js'
import type { MenuEntry } from '../../render/spoken/spoken-item.js'

/** A flow, as the menu needs it. */
interface ListedFlow {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
}

/** A command, as the menu needs it. */
interface ListedCommand {
  readonly group: string
  readonly name: string
  readonly summary: string
}

/** A command of the menu, and how it is run from there. */
export interface HomeCommand extends MenuEntry {
  /** The words behind `oauth-lab`. */
  readonly argv: readonly string[]
  /** True when the command draws a screen of its own: nothing stays to be read when it has ended well. */
  readonly screen: boolean
}

/** A command line that the menu offers for a command of the list. */
interface Offer {
  readonly line: string
  /** Left out: the summary of the command list. */
  readonly about?: string
  readonly more?: readonly string[]
  readonly screen?: true
}

/**
 * The offers of the menu for the commands of the list, flows aside. A command that is not here is offered with its
 * help, so that no command is missing.
 */
const offers: Readonly<Record<string, readonly Offer[]>> = {
  serve: [
    {
      line: 'oauth-lab serve',
      about: 'the whole lab, and its dashboard',
      more: [
        'oauth-lab serve --compression',
        'oauth-lab serve --stage shared-secret',
        'oauth-lab serve --json',
      ],
      screen: true,
    },
  ],
  resource: [
    {
      line: 'oauth-lab resource --issuer https://localhost:8443 --audience demo --port 0',
      about: 'a resource server for the lab that serve runs',
      more: ['oauth-lab resource --issuer https://login.example --audience https://api.example'],
    },
  ],
  k8s: [
    {
      line: 'oauth-lab k8s token --audience api --duration 10m',
      about: 'a service-account token: asked for, granted, read',
      more: [
        'oauth-lab k8s token --audience api | oauth-lab k8s review - --audience api',
        'oauth-lab k8s token --bind pod/web-0 -n lab',
        'oauth-lab k8s discovery',
      ],
    },
    { line: 'oauth-lab k8s whoami', about: 'whom the cluster takes one for' },
  ],
  cf: [
    {
      line: 'oauth-lab cf events --since 24h',
      about: 'security events of a zone, counted and listed',
      more: [
        'oauth-lab cf events --since 24h --top 5 --group-by action,country',
        'oauth-lab cf events --since 1h --kind firewall -o csv',
      ],
      screen: true,
    },
    {
      line: 'oauth-lab cf dns list',
      about: 'the records of a zone',
      more: ['oauth-lab cf zones', 'oauth-lab cf dns list --type A -o bind'],
    },
  ],
  compress: [
    {
      line: 'oauth-lab compress',
      about: 'five ways past a proxy, every hop measured',
      more: ['oauth-lab compress get /kb/200 --offer gzip --hex', "oauth-lab compress explain 'gzip;q=0, *'"],
      screen: true,
    },
  ],
  doctor: [
    {
      line: 'oauth-lab doctor',
      more: ['oauth-lab doctor https://id.example --client-id web --client-secret-file secret.txt'],
    },
  ],
  tamper: [
    {
      line: 'oauth-lab flow code --tamper reuse-code',
      about: 'a code that is redeemed twice, and its refusal',
      more: [
        'oauth-lab flow code --tamper unregistered-redirect-uri',
        'oauth-lab tamper list --flow refresh',
      ],
      screen: true,
    },
    { line: 'oauth-lab tamper list', about: 'all wrong moves by name' },
  ],
  attack: [
    {
      line: 'oauth-lab attack run stolen-code',
      about: 'an attack on a weak lab, and what stops it',
      more: ['oauth-lab attack list', 'oauth-lab attack run stolen-code --strict'],
      screen: true,
    },
  ],
  learn: [
    {
      line: 'oauth-lab learn',
      more: ['oauth-lab learn list', 'oauth-lab learn review', 'oauth-lab learn --course 45m'],
      screen: true,
    },
  ],
  keys: [{ line: 'oauth-lab keys list', more: ['oauth-lab keys rotate', 'oauth-lab keys export --pem'] }],
  ca: [{ line: 'oauth-lab ca show', more: ['eval "$(oauth-lab ca env)"', 'oauth-lab ca path'] }],
  config: [{ line: 'oauth-lab config show', more: ['oauth-lab config check oauth-lab.yaml'] }],
}

/** The words of a command line behind `oauth-lab`; a word in single quotes may hold spaces. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].slice(1).map(([, quoted, bare]) => quoted ?? bare ?? '')
}

/** The name of a command line in the list: its words up to the options, and the wrong move where it makes one. */
function nameOf(argv: readonly string[]): string {
  const end = argv.findIndex(word => word.startsWith('-') && word !== '--tamper' && word !== '--help')
  return (end < 0 ? argv : argv.slice(0, end)).slice(0, 3).join(' ')
}

/** An example of a help text without its remark. */
const withoutRemark = (example: string): string => example.split(/\s{2,}/, 1)[0]!

function flowOffer({ description, examples, name }: ListedFlow): Offer {
  const [line = `oauth-lab flow ${name}`, ...more] = examples
  return { line: withoutRemark(line), about: description, more, screen: true }
}

/** The entries without command lines that the menu offers already, by another entry or as its own line. */
function eachLineOnce(entries: readonly HomeCommand[]): HomeCommand[] {
  const offered = new Set(entries.map(({ line }) => line))
  return entries.map(entry => ({
    ...entry,
    more: entry.more.map(withoutRemark).filter(line => !offered.has(line) && offered.add(line)),
  }))
}

/**
 * Everything that the menu offers, made of the flows and the commands that there are.
 * @param options words of every command that were typed, such as `--ascii`; they go along
 */
export function homeEntries(
  flows: readonly ListedFlow[],
  commands: readonly ListedCommand[],
  options: readonly string[],
): HomeCommand[] {
  const entries = commands.flatMap(({ group, name: command, summary }) => {
    const own = Object.hasOwn(offers, command) ? offers[command]! : [{ line: `oauth-lab ${command} --help` }]
    const offered: readonly Offer[] = command === 'flow' ? flows.map(flowOffer) : own
    return offered.map(({ line, about = summary, more = [], screen = false }): HomeCommand => {
      const argv = wordsOf(line)
      const whole = [line, ...options.map(each => shellWord(each))].join(' ')
      return { group, name: nameOf(argv), about, line: whole, more, argv: [...argv, ...options], screen }
    })
  })
  return eachLineOnce(entries)
}
