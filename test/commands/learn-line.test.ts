import { describe, expect, it } from 'vitest'
import { actionOf, wantsTerminal } from '../../src/commands/learn/line-action.js'

it.each([
  ['', false, { do: 'check' }],
  ['  H ', false, { do: 'hint' }],
  ['oauth-lab flow code --user alice', false, { do: 'run', args: ['flow', 'code', '--user', 'alice'] }],
  [
    'oauth-lab flow code --scope "openid email"',
    false,
    { do: 'run', args: ['flow', 'code', '--scope', 'openid email'] },
  ],
  ['oauth-lab learn check', false, { do: 'check' }],
  ['oauth-lab learn check --answer the client', false, { do: 'answer', text: 'the client' }],
  ['oauth-lab learn check --answer="the client"', false, { do: 'answer', text: 'the client' }],
  ['oauth-lab learn check -- node client.mjs', true, { do: 'probe', command: ['node', 'client.mjs'] }],
  ['oauth-lab learn new --language go', true, { do: 'run', args: ['learn', 'new', '--language', 'go'] }],
  ['oauth-lab learn hint', false, { do: 'hint' }],
  ['node "my client.mjs"', true, { do: 'probe', command: ['node', 'my client.mjs'] }],
  ['the browser', false, { do: 'answer', text: 'the browser' }],
] as const)('%j means what was meant (with a client to run: %j)', (line, probes, action) => {
  expect(actionOf(line, probes)).toEqual(action)
})

it.each([
  ['oauth-lab flow code --user "alice', /no end/],
  ['oauth-lab learn', /in learn already/],
  ['oauth-lab learn start 3', /in learn already/],
  ['cd /tmp', /shell of its own/],
  ['export A=1', /shell of its own/],
  ['token=$(oauth-lab flow code --json | tail -1)', /shell of its own/],
] as const)('%j is answered with advice', (line, advice) => {
  expect(actionOf(line, false)).toEqual({ do: 'say', text: expect.stringMatching(advice) })
})

describe('the shell of the person reads', () => {
  const ANSWERS = { probes: false, asks: true }
  const CLIENT = { probes: true, asks: false }
  const NOTHING = { probes: false, asks: false }
  it.each([
    ['oauth-lab flow code --json | tail -1 | oauth-lab jwt decode -', ANSWERS],
    ['eval "$(oauth-lab ca env)"; echo $CA', ANSWERS],
    ['curl https://localhost:8443/', ANSWERS],
    ['node client.mjs', ANSWERS],
    ['ls', ANSWERS],
    ['vi client.mjs', CLIENT],
    ['sed -i s/a/b/ client.mjs && node client.mjs', CLIENT],
    ['token=$(cat t); echo "$token"', NOTHING],
    ['hello', NOTHING],
  ])('%j', (line, { probes, asks }) => {
    expect(actionOf(line, probes, asks)).toEqual({ do: 'shell', line })
  })

  it.each([ANSWERS, CLIENT, NOTHING])(
    'every line with ! in front, with the whole terminal',
    ({ probes, asks }) => {
      const action = actionOf('! node client.mjs', probes, asks)
      expect(action).toEqual({ do: 'shell', line: 'node client.mjs', whole: true })
    },
  )

  it.each([
    ['vi client.mjs', true],
    ['less /etc/hosts', true],
    ['curl -s https://localhost:8443/', false],
  ])('and %j gets the whole terminal: %j', (line, whole) => {
    expect(wantsTerminal({ do: 'shell', line })).toBe(whole)
  })
})
