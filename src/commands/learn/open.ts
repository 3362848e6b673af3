import { createTransport } from '../../client/transport.js'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { findRunningLab } from '../../lab/state/running.js'
import { sessionOf } from '../../learn/engine/session.js'
import { openRequest } from '../../learn/probe/run-probe.js'
import { UsageError, UserError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { readCa } from '../../session/targets/target.js'
import { printData, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type LearnFlags, learnContext } from './context.js'

/** Milliseconds for the pages and the login. */
const WAIT = 20_000

/** `oauth-lab learn open URL`: the browser of the lesson's user, without a screen. Prints the address at which it ends. */
export async function runOpen(text: string, flags: LearnFlags, globals: Globals): Promise<number> {
  const { lessons, progress } = await learnContext(flags, globals)
  const { current } = sessionOf(lessons, progress)
  const lab = await findRunningLab(globals.home)
  if (lab === undefined) throw new UsageError('no lab is running', ['Start one:  oauth-lab serve'])
  const { authorization } = lab.urls
  // The password goes to the server of the lab alone.
  if (!isUrl(text) || new URL(text).origin !== authorization) {
    throw new UsageError(`the address does not begin with ${authorization}`, [
      'Put it between single quotes: a shell ends it at & otherwise.',
    ])
  }
  const { users } = await loadLabConfig(lab.config ?? globals.config)
  const known = users.find(({ username }) => username === current.user)
  if (known?.password === undefined) {
    throw new UsageError(`the lab file has no user ${current.user} with a password`)
  }
  const user = { username: known.username, password: known.password }
  const { send, close } = createTransport({ caPem: await readCa(lab.ca) })
  try {
    const landed = await openRequest(new URL(text), { send, user, signal: AbortSignal.timeout(WAIT) })
    if (landed === undefined) throw new UserError('the login led to no address of a client', 'refused')
    if (globals.json) printJson({ url: landed })
    else printData(landed)
    return EXIT.done
  } finally {
    close()
  }
}
