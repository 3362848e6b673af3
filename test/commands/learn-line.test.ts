import { expect, it } from 'vitest'
import { actionOf } from '../../src/commands/learn/watch.js'

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
  ['oauth-lab flow code | cat', /need a shell/],
  ['oauth-lab flow code --user "alice', /no end/],
  ['eval "$(oauth-lab ca env)"; export ISSUER=https://localhost:8443', /another terminal/],
  ['curl https://localhost:8443/', /another terminal/],
  ['node client.mjs', /another terminal/],
  ['oauth-lab learn', /in learn already/],
  ['oauth-lab learn start 3', /in learn already/],
] as const)('%j is answered with advice', (line, advice) => {
  expect(actionOf(line, false)).toEqual({ do: 'say', text: expect.stringMatching(advice) })
})

it.each(['ls', 'ls -l', 'hello'])(
  '%s gets an answer at a task that asks nothing, and is no answer itself',
  line => {
    expect(actionOf(line, false, false)).toMatchObject({ do: 'say' })
  },
)
