import { ATTACK_NAMES, type AttackName } from '../judge/attacks/names.js'
import { UsageError } from '../protocol/errors.js'
import { nearestHint } from '../protocol/nearest.js'
import { option, wordList } from '../session/options/option.js'
import { exportOption } from '../session/options/table.js'
import { argument, command } from './program/command.js'
import { everywhere } from './program/globals.js'

const help = `
Examples:
  oauth-lab attack list
  oauth-lab attack run stolen-code                 against a lab that is weak on purpose
  oauth-lab serve --weak redirect-prefix           the same lab, in another terminal: the attack finds it
  oauth-lab attack run stolen-code --strict        the same attack, and the check that refuses it
  oauth-lab attack run stolen-code --weak redirect-any
  oauth-lab attack run login-csrf --browser        you are the victim, in your own browser
  oauth-lab attack run mix-up --export mermaid     a diagram with lanes for attacker and victim
  oauth-lab attack run refresh-theft --json | tail -1 | jq -r .outcome

On a terminal a screen steps through it: Enter takes a step, d switches the defence and replays.
An attack plays at a running lab of yours that is weak in its way (with --strict: one with every defence), and says so.
Else it starts a lab of its own, and stops it at the end. It runs at no address but that of such a lab.

Exit codes of run:
  0  stolen from a weak lab, or defended by a strict one
  1  defended by a weak lab, or stolen from a strict one
`

/** @throws UsageError for a name that no attack has */
function knownAttack(name: string): AttackName {
  const known = ATTACK_NAMES.find(each => each === name)
  if (known === undefined) {
    throw new UsageError(`there is no attack ${JSON.stringify(name)}`, [
      ...nearestHint(name, ATTACK_NAMES),
      'All of them:   oauth-lab attack list',
    ])
  }
  return known
}

/** `oauth-lab attack`: attacks that succeed against a weak lab and fail against a strict one. */
export const attackCommand = command('attack', {
  description: 'attacks on a lab of yours: what is stolen, or which check refuses',
  help,
  below: [
    command('list', {
      description: 'list the attacks, with the weak modes that open them',
      options: [
        ...everywhere,
        option('--plain', 'print lines'),
        option('--screen-reader', 'print sentences; Enter reads the next attack, d its details'),
      ],
      help,
      run: async () => (await import('./attack/attack-run.js')).listAttacks,
    }),
    command('run', {
      description: 'run an attack against a lab of yours that runs, or one that starts with it',
      words: [argument('<name>', 'name of the attack', { choices: ATTACK_NAMES, parse: knownAttack })],
      options: [
        ...everywhere,
        option('--weak <modes>', 'weak modes of the lab: auto, or names of weak list (default: auto)', {
          parse: wordList,
        }),
        option('--strict', 'leave every defence on'),
        option('--own-lab', 'start a lab for the attack, whatever runs'),
        option('--browser', 'play the victim in your own browser'),
        option('--no-open', 'print the addresses for your browser without opening them'),
        exportOption,
        option('-o, --output <file>', 'write the result into a file'),
        option('--plain', 'print a line for each step'),
        option('--screen-reader', 'print sentences; Enter reads the next step, d its details'),
      ],
      help,
      run: async () => (await import('./attack/attack-run.js')).runNamedAttack,
    }),
  ],
})
