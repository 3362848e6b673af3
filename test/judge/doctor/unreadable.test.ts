import { describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../../src/commands/flow/flow-output.js'
import { flows } from '../../../src/flows/flows.js'
import { scoreOf } from '../../../src/judge/doctor/finding.js'
import { tryMove } from '../../../src/judge/doctor/trial.js'
import { tamperedFlow } from '../../../src/judge/tamper/tampered-flow.js'
import type { Send } from '../../../src/protocol/http/exchange.js'
import { jsonResponse, redirectResponse } from '../../../src/protocol/http/message.js'
import { collect, outcomeIn } from '../../flows/support/records.js'
import { scriptedOptions } from '../../flows/support/scripted.js'
import { page as htmlPage } from '../../support/ask.js'
import { move } from '../tamper/named-move.js'
import { situationOf } from '../tamper/support.js'
import { type Answer, exchanged, names, portsTo, report, stranger } from './support.js'

const origin = 'https://as.test'

/** A server that shows this page for every authorization request, whatever its redirect_uri is. */
function showing(page: string): Send {
  const answer: Answer = (request, path) => {
    if (path.startsWith('/.well-known/')) return jsonResponse(200, { ...scriptedOptions.metadata })
    if (path === '/a' && page.startsWith('https://')) return redirectResponse(page)
    if (path === '/a' || request.url === page) {
      const form = '<form method=post><input type=password name=p></form>'
      return htmlPage(page.startsWith('https://') ? form : page)
    }
    return jsonResponse(path === '/k' ? 200 : 400, path === '/k' ? { keys: [] } : { error: 'invalid_grant' })
  }
  return request => exchanged(request, answer)
}

const pages = [
  ['drawn by a script', '<div id="root"></div><script src="/app.js"></script>'],
  ['that asks for the name first', '<form method="post"><input name="user"><button>Next</button></form>'],
  ['at another origin', 'https://login.test/sign-in'],
] as const

describe.each(pages)('a login page %s', (_what, page) => {
  const ports = () => portsTo(showing(page), ['alice', 'wonderland'])

  it('proves nothing about redirect_uris: the doctor tried none of them', async () => {
    const found = await report(ports(), stranger(origin))
    const untried = names(found, 'not_tried')
    expect(untried).toEqual(
      expect.arrayContaining(['honest-flow', 'unregistered-redirect-uri', 'unknown-client', 'reuse-code']),
    )
    expect(names(found, 'pass').filter(name => name.startsWith('redirect-uri'))).toEqual([])
    expect(names(found, 'fault')).not.toContain('honest-flow')
    expect(scoreOf(found).percent).toBeLessThan(50)
  })

  it('ends a wrong move with exit code 3, and the next move by hand', async () => {
    const wrong = move('unregistered-redirect-uri')
    const situation = situationOf(scriptedOptions)
    const outcome = outcomeIn(
      await collect(tamperedFlow(ports(), scriptedOptions, wrong, situation, flows.code)),
    )
    expect(outcome).toMatchObject({
      outcome: 'failed',
      expected: false,
      error: { error: 'unreadable_page', hints: [expect.stringContaining('in your browser')] },
      tamper: { move: 'unregistered-redirect-uri' },
    })
    expect(outcome.tamper).not.toHaveProperty('found')
    expect(exitCodeOf(outcome, { exitCode: () => undefined })).toBe(3)
    const { metadata } = scriptedOptions
    const { finding, unreached } = await tryMove(wrong, ports(), stranger(origin), metadata)
    expect(finding).toMatchObject({
      result: 'not_tried',
      detail: expect.stringMatching(/^the page cannot be read: /),
    })
    expect(unreached).toBe(false)
  })
})
