import { Command, Option } from 'commander'
import type { Coding } from '../../http/negotiation.js'
import { readGlobals, withGlobals } from '../globals.js'
import type { TableFlags } from './table.js'

const KB_200 = '/kb/200'
const target = '<path|url>'
const targetMeaning = 'a path of the lab, such as /kb/200, or an address'

function tableCommand(): Command {
  return withGlobals(new Command('table'))
    .description(
      'offers × sizes: the coding of each answer and the bytes of its body; exit 1 where a rule is broken',
    )
    .addOption(new Option('--kb <sizes>', 'sizes of /kb/<kb>, in units of 1,024 bytes').default('1,2,200'))
    .option('--offer <value...>', 'values of Accept-Encoding (default: those that differ somewhere)')
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress table\n  oauth-lab compress table --kb 1,64 --offer gzip br\n',
    )
    .action(async ({ kb, offer }: { kb: string; offer?: string[] }, command: Command) => {
      const { readSizes, runTable } = await import('./table.js')
      const flags: TableFlags = { kb: readSizes(kb), ...(offer && { offer }) }
      process.exitCode = await runTable(flags, readGlobals(command))
    })
}

function gatewayCommand(): Command {
  return withGlobals(new Command('gateway'))
    .description('what a graph gateway, and other programs, offer by default, and what they get for it')
    .argument('[path|url]', targetMeaning, KB_200)
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress gateway\n  oauth-lab compress gateway /.well-known/jwks.json\n',
    )
    .action(async (what: string, _flags: unknown, command: Command) => {
      const { runGateway } = await import('./gateway.js')
      await runGateway(what, readGlobals(command))
    })
}

function lintCommand(): Command {
  return withGlobals(new Command('lint'))
    .description(
      'ask in several ways and compare: savings, unasked coding, Vary, ETag, bodies; exit 1 on a fault',
    )
    .argument(target, targetMeaning)
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress lint /kb/200\n  oauth-lab compress lint https://example.com/\n',
    )
    .action(async (what: string, _flags: unknown, command: Command) => {
      const { runLint } = await import('./lint.js')
      process.exitCode = await runLint(what, readGlobals(command))
    })
}

function budgetCommand(): Command {
  return withGlobals(new Command('budget'))
    .description('what every codec makes of a body, and how long it takes')
    .argument('<file|url>', 'a file, - for stdin, an address, or a path of the lab')
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress budget page.html\n  oauth-lab compress budget /kb/200\n  cat page.html | oauth-lab compress budget -\n',
    )
    .action(async (what: string, _flags: unknown, command: Command) => {
      const { runBudget } = await import('./budget.js')
      await runBudget(what, readGlobals(command))
    })
}

function breachCommand(): Command {
  return withGlobals(new Command('breach'))
    .description('how the length of a compressed page gives a secret away, and what masking does about it')
    .addOption(new Option('--coding <coding>', 'the content coding').choices(['gzip', 'br']).default('gzip'))
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress breach\n  oauth-lab compress breach --coding br --json\n',
    )
    .action(async ({ coding }: { coding: Coding }, command: Command) => {
      const { runBreach } = await import('./breach.js')
      process.exitCode = await runBreach(coding, readGlobals(command))
    })
}

function cacheCommand(): Command {
  return withGlobals(new Command('cache'))
    .description('a shared cache with and without Vary: who gets what cannot be read')
    .argument('[path|url]', targetMeaning, KB_200)
    .addHelpText(
      'after',
      '\nExamples:\n  oauth-lab compress cache\n  oauth-lab compress cache https://localhost:8443/kb/2\n',
    )
    .action(async (what: string, _flags: unknown, command: Command) => {
      const { runCache } = await import('./cache.js')
      process.exitCode = await runCache(what, readGlobals(command))
    })
}

/** The commands that compare: offers, clients, codecs, guesses, caches. */
export const studyCommands = (): Command[] => [
  tableCommand(),
  gatewayCommand(),
  lintCommand(),
  budgetCommand(),
  breachCommand(),
  cacheCommand(),
]
