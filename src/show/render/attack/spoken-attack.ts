import type { AttackData, AttackOutcome, AttackRecord } from '../../../judge/attacks/model.js'
import { details, report } from '../spoken/screen-reader.js'
import { type SpokenItem, sentence } from '../spoken/spoken-item.js'
import { ROLE_NAMES } from '../steps/sequence.js'
import { ATTACK_ROLES } from './attack-lines.js'

/** An attack in the list, as sentences. @param n number of the attack, from 1 */
export function spokenAttack(attack: AttackData, n: number, of: number): SpokenItem {
  const { name, title, rule, weak, steals, starts } = attack
  return {
    say: [`Attack ${n} of ${of}.`, sentence(`${name}: ${title}`), sentence(`It wants: ${steals}`)].join(' '),
    details: [
      sentence(`Rule: ${rule}`),
      ...starts.map(sentence),
      sentence(`Weak modes that open it: ${weak.join(', ')}`),
    ],
  }
}

/** The announcement of an attack, before its first step. */
export function spokenStart({ name, title, rule, starts, steals }: AttackData): SpokenItem {
  return {
    say: [
      sentence(`Attack ${name}: ${title}`),
      ...starts.map(sentence),
      sentence(`It wants: ${steals}`),
    ].join(' '),
    details: [sentence(`Rule: ${rule}`)],
  }
}

function spokenEnding(outcome: AttackOutcome, { steals }: Pick<AttackData, 'steals'>): SpokenItem {
  const { check, rule, detail, would_not_help: noHelp } = outcome
  const ending =
    outcome.outcome === 'stolen'
      ? [sentence(`Stolen: ${steals}, ${detail}`), sentence(`The missing check is ${check}`)]
      : outcome.outcome === 'defended'
        ? [sentence(`Defended by the check ${check}: ${detail}`)]
        : [sentence(`Failed: ${detail}`)]
  return {
    say: [...ending, ...(rule === '' ? [] : [sentence(`Rule: ${rule}`)])].join(' '),
    details: noHelp.map(each => sentence(`It would not have helped: ${each}`)),
  }
}

/** A record of an attack as sentences. */
export function spokenAttackRecord(record: AttackRecord, attack: Pick<AttackData, 'steals'>): SpokenItem {
  if (record.type === 'outcome') return spokenEnding(record, attack)
  const nameOf = (role: typeof record.from) => ATTACK_ROLES[role] ?? ROLE_NAMES[role]
  const between =
    record.from === record.to
      ? sentence(`The ${nameOf(record.from)} alone`)
      : sentence(`From the ${nameOf(record.from)} to the ${nameOf(record.to)}`)
  return { say: `${between} ${report(record)}`, details: details(record) }
}
