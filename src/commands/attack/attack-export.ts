import type { Attack, AttackOutcome, AttackRecord } from '../../judge/attacks/model.js'
import { programVersion } from '../../protocol/version.js'
import { ATTACK_ROLES, attackLines } from '../../show/render/attack/attack-lines.js'
import type { ExportFormat } from '../../show/render/exports/export.js'
import { exportText } from '../../show/render/exports/export.js'
import type { ExportedOutcome, ExportedRecord } from '../../show/render/exports/export-options.js'
import { stepLine } from '../../show/render/steps/plain.js'
import { lineWriter } from '../flow/flow-output.js'
import { narrate } from '../output/output.js'

/** The form and the place of an exported attack. */
export interface AttackToExport {
  readonly attack: Attack
  readonly format: ExportFormat
  readonly showSecrets: boolean
  readonly ascii: boolean
  /** The output file; absent: stdout. */
  readonly output?: string
}

/** The end of an attack, with the check that refused or was missing. */
function exportedOutcome(
  { steals }: Attack,
  { outcome, check, rule, detail }: AttackOutcome,
): ExportedOutcome {
  const description = {
    stolen: `${steals}, ${detail}. The check ${check} was missing`,
    defended: detail,
    failed: detail,
  }[outcome]
  const error = { error: check, error_description: description }
  return { type: 'outcome', outcome, error: rule === '' ? error : { ...error, rule } }
}

/**
 * Runs an attack to its end, prints its steps on stderr, and writes it in another form.
 * @returns the outcome; undefined where the attack had no outcome
 */
export async function exportAttack(
  records: AsyncIterable<AttackRecord>,
  { attack, format, output, showSecrets, ascii }: AttackToExport,
): Promise<AttackOutcome | undefined> {
  const write = lineWriter(output)
  const all: ExportedRecord[] = []
  let outcome: AttackOutcome | undefined
  for await (const record of records) {
    if (record.type === 'step') {
      all.push(record)
      narrate(stepLine(record, { showSecrets: false, ascii, names: ATTACK_ROLES }))
      continue
    }
    outcome = record
    all.push(exportedOutcome(attack, record))
    for (const line of attackLines(record, attack, { showSecrets: false, ascii })) narrate(line)
  }
  const options = { flow: `attack ${attack.name}`, version: programVersion(), showSecrets }
  write(exportText(format, all, options).trimEnd())
  return outcome
}
