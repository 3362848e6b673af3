import { attacks } from '../../src/judge/attacks/attacks.js'
import type { Attack } from '../../src/judge/attacks/model.js'
import { cellsOf } from '../support/attack-cells.js'
import { cell } from './declarations.js'

const code = (name: string): string => `\`${name}\``

const list = (texts: readonly string[]): string[] => texts.map(text => `- ${text}`)

function row(attack: Attack): string {
  const { name, title, steals, weak } = attack
  const alone = cellsOf(attack).filter(each => each.outcome === 'stolen' && each.weak.length === 1)
  const opens = weak.length === 1 || alone.length === 0 ? [weak.map(code).join(' with ')] : []
  opens.push(...alone.flatMap(each => each.weak.map(code)))
  const stops = attack.defences[0]
  const cells = [
    `[${code(name)}](#${name})`,
    title,
    steals,
    [...new Set(opens)].join(', '),
    `${code(stops.check)} (${stops.rule})`,
  ]
  return `| ${cells.map(cell).join(' | ')} |`
}

function part({ name, title, rule, starts, plan, wouldNotHelp }: Attack): string[] {
  return [
    `## ${name}`,
    '',
    `${title[0]!.toUpperCase()}${title.slice(1)} (${rule}).`,
    '',
    ...list(starts),
    '',
    ...plan.map(({ why }, i) => `${i + 1}. ${why}`),
    '',
    'It would not have helped:',
    '',
    ...list(wouldNotHelp.map(each => `${each}.`)),
    '',
  ]
}

/** Names in a sentence. */
function listed(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** docs/reference/attacks.md, made of the attacks. */
export function attacksPage(): string {
  const lines = [
    '# Attacks',
    '',
    'For people who want to see what a check is for. `oauth-lab attack run NAME` runs an attack against a lab with weak modes that open it. `--strict` wants',
    'a lab with every defence, `--weak NAME` one with the [weak modes](weak-modes.md) that you name. `oauth-lab attack list` prints the attacks, as data',
    'with `--json`.',
    '',
    'Each run has two people with a browser each: alice, and mallory, who attacks and has a server too. The records and the profile of alice hold',
    'a word that is made for the run. The attack ends `stolen` only when that word stands in the last answer that the browser or a program of mallory received.',
    'Otherwise it ends `defended`, with the check that refused and its rule, as the server reported them.',
    '',
    'The exit code is 0 when a weak lab lost the data or a strict one kept it, and 1 otherwise. The last line of `--json` is the outcome:',
    '`{"type":"outcome","outcome":"stolen","check":"redirect_uri","rule":"RFC 9700 §4.1.3",…}`. For `stolen`, the check is the missing one.',
    '',
    'On a terminal, the attack is a screen: Enter takes a step, `d` switches the defence and replays. Both runs stay on the screen, and the first line in',
    'which they differ is marked. `--plain` and `--screen-reader` print the same in lines and in sentences.',
    '',
    'With `--browser`, you play alice in your own browser. The command opens the addresses that alice would open, prints them too, and says what to do:',
    'log in, press a button, write a note. `--no-open` prints the addresses alone. The command waits ten minutes for each of your moves, or as long as',
    '`--timeout` says. The browser has to trust the CA of the lab (`oauth-lab ca install`). mallory stays a program, because two people in one browser would share cookies.',
    'A browser that blocks the cookies of other sites stops `clickjacked-consent` by itself; the attack then names `same_site_cookie` as the check.',
    `There is no \`--browser\` for ${listed(attacks.flatMap(({ name, noWindow }) => (noWindow === undefined ? [] : [code(name)])))}.`,
    '',
    '`--export har|curl|mermaid|markdown|html` writes the run in another form, to a file with `-o FILE`; its steps go to stderr. In the diagram the attacker and the',
    'victim have a lane each. The script of `curl` keeps the cookies of both apart. It asks for the requests that reach the lab, and leaves out those to the server of mallory.',
    '',
    '## The lab of an attack',
    '',
    'An attack plays at a running lab of yours, if one fits: start `oauth-lab serve --weak redirect-prefix` in one terminal, type `oauth-lab attack run',
    'stolen-code` in another, and watch it on the dashboard. Else the command starts a lab and stops it at the end. The first line says which of the two, and how to',
    'get the other: `--own-lab` starts a lab in any case, as `--browser` and `--no-open` do. `--server URL` chooses one of several running labs.',
    '',
    'An address alone never counts. The record of the lab in the state folder has to name the modes, the lab has to answer with a certificate of your CA, and its',
    'page `/` has to say exactly what the record says. A record that is not true is an error (exit code 3). `--strict` plays at a running lab without any weak mode.',
    '',
    'At a running lab, nothing is registered and the clock stays. The first user of its lab file is the victim, and the second one the attacker; each run leaves a',
    'record, and where the demo client takes part a note, of the victim. `demo-spa` takes the place of a client that the attack would register, `demo` that of a device and of',
    'an exchanger of assertions. The check and the rule of `defended` are those in the event file of the lab, whose events name the run: `attack 1a2b3c4d`.',
    `These attacks always start a lab of their own: ${listed(attacks.flatMap(({ name, running }) => ('never' in running ? [`${code(name)} (${running.never})`] : [])))}.`,
    '',
    '## The attacks',
    '',
    '',
    '| attack | | it wants | weak modes that open it | stopped by |',
    '|---|---|---|---|---|',
    ...attacks.map(row),
    '',
    ...attacks.flatMap(part),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}
