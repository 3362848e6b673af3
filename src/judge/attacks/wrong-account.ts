import type { PlannedStep, Step, StepName } from '../../flows/step.js'
import type { PlanRule } from '../../protocol/rules/rule.js'
import { onwardPage } from './attacker-pages.js'
import type { Refusal } from './defence.js'
import { deliver, shownBy, showsNotes, visitNotes, writeNote } from './demo-client.js'
import { planned } from './model.js'
import type { Scene } from './scene.js'

/**
 * The last steps of an attack that logs the victim in as the attacker: her browser takes the attacker's answer to the
 * client, she writes a note, and the attacker reads it. Returns the refusal of the last answer.
 * @param answer the address at the client, with the code of the attacker
 * @param note name of the step in which the victim writes
 */
export async function* enterWrongAccount(
  scene: Scene,
  answer: string,
  note: StepName,
): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, attacker, accounts, step, secret, site } = scene
  site.serve('/bait', () => onwardPage('A rabbit', answer))
  const bait = await victim.open(`${site.url}/bait`)
  yield step('lure', { exchange: bait, note: 'the page goes on to the answer that belongs to the attacker' })
  const injected = await deliver(victim, answer, { from: bait })
  yield step('injection', { exchange: injected })
  const page = await shownBy(victim, injected)
  if (!showsNotes(page)) return scene.refusal(injected)

  const written = await writeNote(victim, page, `my new number is ${secret}`)
  yield step(note, {
    exchange: written,
    note: `alice writes a note, into the account of ${accounts.attacker.username}`,
  })
  await shownBy(victim, written)
  const notes = await visitNotes(scene, attacker, accounts.attacker)
  yield step('stolen_notes', { exchange: notes })
  return scene.refusal(notes)
}

/**
 * Plans those steps.
 * @param note name of the step in which the victim writes
 * @param check the reason why the client believes the answer, or must not
 * @param rule the section that describes the attack
 */
export function wrongAccountPlan(note: StepName, check: string, rule: PlanRule): readonly PlannedStep[] {
  return [
    planned(
      'lure',
      ['user_agent', 'attacker'],
      'GET /bait',
      '9700 §4.7',
      'Alice opens a page of the attacker, which goes on to the answer.',
    ),
    planned('injection', ['user_agent', 'client'], 'GET /callback', '6749 §10.12', check),
    planned(
      note,
      ['user_agent', 'client'],
      'POST /notes',
      '6749 §10.12',
      'Alice writes a note. She believes that the account is hers.',
    ),
    planned(
      'stolen_notes',
      ['attacker', 'client'],
      'GET /notes',
      rule,
      'The attacker opens their own account and reads what alice wrote.',
    ),
  ]
}
