import type { Role } from '../../../flows/step.js'
import type { AttackData, AttackOutcome, AttackRecord } from '../../../judge/attacks/model.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { plainStepLines } from '../steps/plain.js'
import { flowJson, jsonLine } from '../text/json.js'
import { hanging, type TextView, wrap } from '../text/text.js'

/** The roles of an attack: two people have browsers. */
export const ATTACK_ROLES: Readonly<Partial<Record<Role, string>>> = {
  attacker: 'attacker',
  user_agent: 'victim',
}

/** Columns before the text of a labelled line, and the width of the text. */
const INDENT = 10
const WIDTH = 100

/** Narrowest text beside a label. */
const LEAST = 20

type TextOptions = Pick<TextView, 'ascii' | 'columns'>

/** A label, and a text that is wrapped beside it. */
function labelled(label: string, text: string, { ascii, columns = WIDTH + 1 }: TextOptions): string[] {
  const lines = wrap(makeSafe(text, { ascii }), Math.max(LEAST, Math.min(WIDTH, columns - 1) - INDENT))
  return lines.map((line, i) => `${i === 0 ? label.padEnd(INDENT) : ' '.repeat(INDENT)}${line}`)
}

/** Several texts below one label. */
function list(label: string, texts: readonly string[], options: TextOptions): string[] {
  return texts.flatMap((text, i) => labelled(i === 0 ? label : '', text, options))
}

/** The lines before the first step: the attack, and the powers of the attacker. */
export function attackIntroduction(
  { name, title, rule, starts, steals }: AttackData,
  options: TextView,
): string[] {
  return [
    ...labelled('attack', `${name}: ${title}  (${rule})`, options),
    ...list('starts', starts, options),
    ...labelled('wants', steals, options),
    '',
  ]
}

/** The lines of the end: stolen or defended, the check, and the defences that do not help. */
function attackEnding(
  outcome: AttackOutcome,
  { steals }: Pick<AttackData, 'steals'>,
  options: TextView,
): string[] {
  const { check, rule, detail, attack, weak } = outcome
  if (outcome.outcome === 'failed') return labelled('failed', detail, options)
  const other = weak.length > 0 ? '--strict' : '--weak auto'
  const ending =
    outcome.outcome === 'stolen'
      ? [
          ...labelled('stolen', `${steals}, ${detail}`, options),
          ...labelled('missing', `${check}  (${rule})`, options),
        ]
      : labelled('defended', `${check}: ${detail}  (${rule})`, options)
  return [
    '',
    ...ending,
    ...list('no help', outcome.would_not_help, options),
    ...labelled('next', `oauth-lab attack run ${attack} ${other}`, options),
  ]
}

/** The lines of one record of an attack. */
export function attackLines(
  record: AttackRecord,
  attack: Pick<AttackData, 'steals'>,
  options: TextView,
): string[] {
  return record.type === 'step'
    ? plainStepLines(record, { ...options, names: ATTACK_ROLES })
    : attackEnding(record, attack, options)
}

/** A record of an attack as `--json` writes it. */
export function attackJson(record: AttackRecord, options: { readonly showSecrets: boolean }): string {
  if (record.type === 'step') return flowJson(record, options)
  const { type, outcome, check, rule, detail, attack, weak, would_not_help } = record
  return jsonLine({ type, outcome, check, rule, detail, attack, weak, would_not_help })
}

/** The list of attacks: name, title, and the weak modes that open each. @param columns of the terminal */
export function attackListLines(
  attacks: readonly AttackData[],
  { ascii, columns }: { readonly ascii: boolean; readonly columns: number },
): string[] {
  const indent = Math.max(...attacks.map(({ name }) => name.length)) + 2
  const beside = (label: string, text: string): string[] =>
    hanging(label.padEnd(indent), makeSafe(text, { ascii }), { columns })
  return attacks.flatMap(({ name, title, rule, weak, steals }) => [
    ...beside(name, `${title}  (${rule})`),
    ...beside('', `wants ${steals}`),
    ...beside('', `weak  ${weak.join(', ')}`),
    '',
  ])
}
