import { TimeoutError, TransportError } from '../../protocol/errors.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { OAuthError } from '../../protocol/oauth/oauth-error.js'
import { shownBy, visitNotes, writeNote } from './demo-client.js'
import type { Attack, AttackOutcome, AttackRecord, End, Refusal } from './model.js'
import { grantRequest, HONEST_CLIENT, memberOf, newRecordRequest, Stopped } from './moves.js'
import { openStage, type Stage, type StageOptions } from './stage.js'

/** The error for data of the victim that a lab does not take, such as a running one that limits logins. */
function notKept(kind: 'record' | 'note', { request, response }: Exchange): TransportError {
  const status = response?.status ?? 0
  const why = status === 429 ? 'it limits logins; try again in a minute' : `${request.url} answered ${status}`
  return new TransportError(`the lab did not keep a ${kind} of the victim: ${why}`, 'ERR_NOT_PLANTED')
}

/** Puts the word into a record of the victim, and into her notes. These exchanges are no part of the attack. */
async function plant({ scene, word }: Stage, { demoClient }: Attack): Promise<void> {
  const { victim, anotherBrowser } = scene
  const asked = { ...victim.account, scope: 'records:write' }
  const answer = await victim.send(grantRequest(scene, HONEST_CLIENT, 'password', asked))
  const token = memberOf(answer, 'access_token')
  const text = `the key is under the ${word}`
  const kept = token === undefined ? undefined : await victim.send(newRecordRequest(scene, token, text))
  if (kept?.response?.status !== 201) throw notKept('record', kept ?? answer)
  if (demoClient !== true) return
  // Another browser of the victim: the one of the attack is not logged in yet.
  const home = anotherBrowser()
  const noted = await shownBy(home, await writeNote(home, await visitNotes(scene, home), text))
  if (!holds(noted, [word])) throw notKept('note', noted)
}

/** True when the data of the victim is in an answer. */
function holds(answer: Exchange | undefined, words: readonly string[]): boolean {
  const body = answer?.response?.body ?? ''
  return words.some(word => body.includes(word))
}

/** The members that differ between the ends of an attack. */
type Ending = Pick<AttackOutcome, 'outcome' | 'check' | 'rule' | 'detail'>

const failed = (check: string, detail: string): Ending => ({ outcome: 'failed', check, rule: '', detail })

/** Judges the end of an attack: stolen only by the last answer that the attacker's own agent received. */
function judge({ defences }: Attack, { scene, word }: Stage, refusal: Refusal | undefined): Ending {
  const last = scene.attacker.last()
  if (holds(last, [word, scene.secret])) {
    const detail = `in the answer to ${last!.request.method} ${last!.request.url.split('?', 1)[0]}`
    return { outcome: 'stolen', ...defences[0], detail }
  }
  if (refusal === undefined) return failed('', 'the attack ended, and no check refused it')
  return { outcome: 'defended', ...refusal }
}

/** The end of an attack that was stopped by no check. @throws what is neither a failure of the network nor of a message */
function failure({ signal }: StageOptions, error: unknown): Ending {
  if (signal.aborted) return failed('interrupted', 'the attack was interrupted')
  if (error instanceof TimeoutError) return failed('timeout', error.message)
  if (error instanceof TransportError) return failed(error.code, error.message)
  if (error instanceof OAuthError) return failed(error.code, error.description)
  throw error
}

/** Yields the steps of an attack. Returns the refusal that ended it; undefined when nobody refused. */
async function* played({ run }: Attack, { scene }: Stage): AsyncGenerator<AttackRecord, Refusal | undefined> {
  let end: End
  try {
    end = yield* run(scene)
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    end = error.end
  }
  return end && ('request' in end ? scene.refusal(end) : end)
}

/**
 * Runs an attack, and yields its steps and its outcome. The attacker's server and the attack's own lab stop at the end,
 * also when the consumer stops early.
 */
export async function* runAttack(
  attack: Attack,
  options: StageOptions,
): AsyncGenerator<AttackRecord, void, void> {
  const stage = await openStage(attack, options)
  const about = { attack: attack.name, weak: options.weak, would_not_help: attack.wouldNotHelp }
  try {
    await plant(stage, attack)
    yield { type: 'outcome', ...judge(attack, stage, yield* played(attack, stage)), ...about }
  } catch (error) {
    yield { type: 'outcome', ...failure(options, error), ...about }
  } finally {
    await stage.stop()
  }
}
