import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { MessageType } from '../../../src/servers/kubernetes/encoding/protobuf.js'
import { decodeMessage, openEnvelope } from '../../../src/servers/kubernetes/encoding/protobuf.js'
import type { Status } from '../../../src/servers/kubernetes/shapes.js'
import { testCluster } from './support.js'

// What kubectl 1.32.4 sent to a real API server in 27 commands, and what that answered.

interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly response: { readonly status: number; readonly contentType: string; readonly body?: string }
}

const file = new URL('recordings.json', import.meta.url)
const recordings = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { requests: Recorded[] }>

const string = (name: string) => [name, 'string'] as const
const status: MessageType = {
  name: 'Status',
  fields: {
    2: string('status'),
    3: string('message'),
    4: string('reason'),
    5: [
      'details',
      {
        name: 'StatusDetails',
        fields: {
          1: string('name'),
          2: string('group'),
          3: string('kind'),
          4: [
            'causes',
            {
              name: 'StatusCause',
              fields: { 1: string('reason'), 2: string('message'), 3: string('field') },
            },
          ],
        },
      },
    ],
    6: ['code', 'int64'],
  },
}

const raw = (body: string): Uint8Array =>
  body.startsWith('b64:') ? Buffer.from(body.slice(4), 'base64') : Buffer.from(body)

/** What a real cluster serves and this one does not; kubectl asks for it only where the real one answers so. */
const skipped = (url: string) => url.startsWith('/openapi/v2') || url.startsWith('/apis/apiextensions.k8s.io')

/** A list of objects, or the metadata of one, without what differs from cluster to cluster. */
const comparable = (text: string): unknown =>
  JSON.parse(text, (name, value: unknown) => {
    if (
      /^(uid|resourceVersion|creationTimestamp|time|n|kid|token|issuer|jwks_uri|serverAddress)$/.test(name)
    ) {
      return value === null ? null : `some ${name}`
    }
    return name === 'spec' || name === 'status' ? Object.keys(value as object) : value
  })

async function prepared(name: string) {
  const cluster = testCluster()
  if (name === 'delsa') {
    await cluster.ask('POST', '/api/v1/namespaces/lab/serviceaccounts', {
      body: { metadata: { name: 'newsa' } },
    })
  }
  return cluster
}

describe('the recorded requests of kubectl', () => {
  it('are those of 27 commands', () => expect(Object.keys(recordings)).toHaveLength(27))

  it.each(Object.entries(recordings))('%s are answered as recorded', async (name, { requests }) => {
    const { ask } = await prepared(name)
    for (const { method, url, headers, body, response } of requests) {
      if (skipped(url)) continue
      const answer = await ask(method, url.replace(/\?hash=[0-9A-F]+&/, '?'), {
        headers: Object.entries(headers),
        ...(body !== undefined && { body: raw(body) }),
      })
      expect([url, answer.status]).toEqual([url, response.status])
      // JSON where the real server answers in protobuf: every client takes both.
      const type = response.contentType.replace('application/vnd.kubernetes.protobuf', 'application/json')
      expect(answer.header('content-type')).toBe(type)
      if (response.body === undefined) continue
      const recorded = raw(response.body)
      if (response.status >= 400 && response.body.startsWith('b64:')) {
        const { causes, ...details } = answer.json<Status>().details ?? {}
        const { status: word, message, reason, code } = answer.json<Status>()
        expect({
          status: word,
          message,
          reason,
          code,
          details: { ...details, ...(causes && { causes: causes[0] }) },
        }).toEqual(decodeMessage(status, openEnvelope(recorded).raw))
      } else if (!response.body.startsWith('b64:') && !url.includes('/tokenreviews')) {
        expect(comparable(answer.text)).toEqual(comparable(response.body))
        expect(answer.text.endsWith('\n')).toBe(response.body.endsWith('\n'))
      }
    }
  })
})
