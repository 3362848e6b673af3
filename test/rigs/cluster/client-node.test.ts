import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab()

describeWith([rigs], '@kubernetes/client-node 1.4', () => {
  it('requests and reviews tokens over TLS, unchanged', async () => {
    const file = join(import.meta.dirname, 'client-node.js')
    const { cluster } = lab.ready.urls
    const { code, stdout, stderr } = await run(process.execPath, [file, cluster, lab.ready.ca], {
      env: { ...lab.env, NODE_NO_WARNINGS: '1' },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      kind: 'TokenRequest',
      seconds: 600,
      good: [true, 'system:serviceaccount:lab:demo', ['api']],
      other: [
        null,
        '[invalid bearer token, token audiences ["api"] is invalid for the target audiences ["other"]]',
      ],
      short: [422, 'Invalid'],
      foreign: 401,
      made: 'made',
      accounts: ['builder', 'default', 'demo', 'made', 'other'],
    })
  })

  it('sees changes by its informer', async () => {
    const file = join(import.meta.dirname, 'client-node-informer.js')
    const { code, stdout, stderr } = await run(
      process.execPath,
      [file, lab.ready.urls.cluster, lab.ready.ca],
      {
        env: { ...lab.env, NODE_NO_WARNINGS: '1' },
      },
    )
    expect({ code, stderr, seen: JSON.parse(stdout || '[]') }).toEqual({
      code: 0,
      stderr: '',
      seen: [
        ['add', null],
        ['update', 'x'],
        ['delete', 'x'],
      ],
    })
  })
})
