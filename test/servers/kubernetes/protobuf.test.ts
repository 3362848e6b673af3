import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeMessage,
  openEnvelope,
  ProtobufError,
  wireFields,
} from '../../../src/servers/kubernetes/encoding/protobuf.js'
import { messageOf } from '../../../src/servers/kubernetes/encoding/schema.js'
import { forAll } from '../../support/for-all.js'
import { expectStatus, statusOf, TOKEN_PATH, testCluster } from './support.js'

const varint = (value: bigint): number[] => {
  const out: number[] = []
  let rest = BigInt.asUintN(64, value)
  do {
    out.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    rest >>= 7n
  } while (rest > 0n)
  return out
}
const number = (field: number, value: bigint) => [...varint(BigInt(field << 3)), ...varint(value)]
const bytes = (field: number, value: readonly number[] | string) => {
  const raw = typeof value === 'string' ? [...Buffer.from(value)] : value
  return [...varint(BigInt((field << 3) | 2)), ...varint(BigInt(raw.length)), ...raw]
}
const PREFIX = [0x6b, 0x38, 0x73, 0]
const envelope = (kind: string, raw: number[], apiVersion = 'authentication.k8s.io/v1') =>
  Uint8Array.from([...PREFIX, ...bytes(1, [...bytes(1, apiVersion), ...bytes(2, kind)]), ...bytes(2, raw)])

const PROTOBUF = [['content-type', 'application/vnd.kubernetes.protobuf']] as const
const send = (body: Uint8Array) => testCluster().ask('POST', TOKEN_PATH, { body, headers: PROTOBUF })

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter(text => text.isWellFormed())

describe('a protobuf body', () => {
  it('is read as it was written', () =>
    forAll(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }),
      fc.dictionary(word, word),
      word,
      (audiences, seconds, labels, name) => {
        const entries = Object.entries(labels)
        const meta = [
          ...bytes(1, name),
          ...bytes(3, ''),
          ...entries.flatMap(([key, value]) => bytes(11, [...bytes(1, key), ...bytes(2, value)])),
        ]
        const spec = [...audiences.flatMap(each => bytes(1, each)), ...number(4, seconds), ...number(99, 1n)]
        const body = envelope('TokenRequest', [...bytes(1, meta), ...bytes(2, spec)])
        const { kind, apiVersion, raw } = openEnvelope(body)
        expect([kind, apiVersion]).toEqual(['TokenRequest', 'authentication.k8s.io/v1'])
        expect(decodeMessage(messageOf('TokenRequest'), raw)).toEqual({
          metadata: { name, ...(entries.length > 0 && { labels: Object.fromEntries(entries) }) },
          spec: { audiences, expirationSeconds: Number(seconds) },
        })
      },
    ))

  it('that is hostile or cut short is refused without a failure', () => {
    const good = envelope('TokenRequest', [...bytes(1, bytes(1, 'demo')), ...bytes(2, number(4, 600n))])
    const hostile = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map(tail => Uint8Array.from([...PREFIX, ...tail])),
      fc.nat(good.length).map(length => good.subarray(0, length)),
      fc
        .tuple(fc.nat(good.length - 1), fc.nat(255))
        .map(([at, byte]) => good.map((each, i) => (i === at ? byte : each))),
    )
    fc.assert(
      fc.property(hostile, body => {
        try {
          decodeMessage(messageOf('TokenRequest'), openEnvelope(body).raw)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtobufError)
        }
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['a length beyond the end', [0x0a, 0x05, 0x61], 'unexpected EOF'],
    ['a length of 2^63', [0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], 'unexpected EOF'],
    ['a number without end', Array(11).fill(0xff) as number[], 'proto: integer overflow'],
    ['the end of a group', [0x0c], 'proto: M: wiretype end group for non-group'],
    ['the beginning of a group', [0x0b], 'proto: illegal wireType 3'],
    ['field zero', [0x00, 0x00], 'proto: M: illegal tag 0 (wire type 0)'],
  ])('with %s is refused', (_, raw, message) => {
    expect(() => [...wireFields(Uint8Array.from(raw), 'M')]).toThrow(new ProtobufError(message))
  })

  it.each([
    [Uint8Array.from([]), 'empty data (<empty>)'],
    [
      Uint8Array.from(Buffer.from('{}')),
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({})',
    ],
    [Uint8Array.from(PREFIX), 'empty body (6b387300)'],
  ])('that is none is called so', async (body, problem) => {
    expect(statusOf(await send(body))).toMatchObject({
      code: 400,
      message: `the object provided is unrecognized (must be of type TokenRequest): ${problem}`,
    })
  })

  it('of another kind, or with broken content, is refused with its kind', async () => {
    expect(statusOf(await send(envelope('TokenReview', []))).message).toBe(
      'TokenReview in version "v1" cannot be handled as a TokenRequest: converting (v1.TokenReview) to (authentication.TokenRequest): unknown conversion',
    )
    expect(statusOf(await send(envelope('TokenRequest', [0x0a, 0x09]))).message).toBe(
      'TokenRequest in version "v1" cannot be handled as a TokenRequest: unexpected EOF',
    )
    expect(statusOf(await send(envelope('TokenRequest', number(1, 1n)))).message).toBe(
      'TokenRequest in version "v1" cannot be handled as a TokenRequest: proto: wrong wireType = 0 for field Metadata',
    )
  })

  it('leaves unset what is empty', async () => {
    const answer = await send(envelope('', [...bytes(1, bytes(1, '')), ...bytes(2, [])], ''))
    expect(answer.status).toBe(201)
  })
})

describe('a pod in protobuf, as client-go sends it', () => {
  const container = (...more: number[]) => bytes(2, [...bytes(1, 'main'), ...bytes(2, 'image:1'), ...more])
  const quantity = (text: string) => bytes(2, bytes(1, text))
  const spec = [
    // A volume whose source has no name of its own in JSON.
    ...bytes(1, [...bytes(1, 'keys'), ...bytes(2, bytes(6, [...bytes(1, 'demo-key'), ...number(3, 420n)]))]),
    ...container(
      ...bytes(3, 'run'),
      ...bytes(6, [...bytes(1, ''), ...number(2, 0n), ...number(3, 8080n)]),
      ...bytes(8, bytes(1, [...bytes(1, 'cpu'), ...quantity('250m')])),
      // A probe of a named port, and one of a number.
      ...bytes(10, [
        ...bytes(1, bytes(3, bytes(1, [...number(1, 1n), ...bytes(3, 'http')]))),
        ...number(2, 0n),
      ]),
      ...bytes(11, bytes(1, bytes(3, bytes(1, [...number(1, 0n), ...number(2, 8080n)])))),
      // runAsUser 0 is root, and is not left out.
      ...bytes(15, number(4, 0n)),
    ),
    ...number(4, 0n),
    ...bytes(8, 'demo'),
    ...number(11, 0n),
  ]
  const expected = {
    volumes: [{ name: 'keys', secret: { secretName: 'demo-key', defaultMode: 420 } }],
    containers: [
      {
        name: 'main',
        image: 'image:1',
        command: ['run'],
        ports: [{ containerPort: 8080 }],
        resources: { limits: { cpu: '250m' } },
        livenessProbe: { tcpSocket: { port: 'http' } },
        readinessProbe: { tcpSocket: { port: 8080 } },
        securityContext: { runAsUser: 0 },
      },
    ],
    terminationGracePeriodSeconds: 0,
    serviceAccountName: 'demo',
  }
  // A condition whose time of the last probe is unset.
  const condition = [
    ...bytes(1, 'Ready'),
    ...bytes(2, 'True'),
    ...bytes(3, ''),
    ...bytes(4, number(1, 1_700_000_000n)),
  ]

  it('has all its fields', () => {
    const raw = [...bytes(1, bytes(1, 'p')), ...bytes(2, spec), ...bytes(3, bytes(2, condition))]
    expect(decodeMessage(messageOf('Pod'), Uint8Array.from(raw))).toEqual({
      metadata: { name: 'p' },
      spec: expected,
      status: {
        conditions: [
          { type: 'Ready', status: 'True', lastProbeTime: null, lastTransitionTime: '2023-11-14T22:13:20Z' },
        ],
      },
    })
  })

  it('is kept as it was sent, and changed without a loss', async () => {
    const { ask } = testCluster()
    const path = '/api/v1/namespaces/lab/pods'
    const pod = (labels: readonly number[] = []) =>
      envelope('Pod', [...bytes(1, [...bytes(1, 'p'), ...labels]), ...bytes(2, spec)], 'v1')
    const made = await ask('POST', path, { body: pod(), headers: PROTOBUF })
    const { spec: kept } = made.json<{ spec: { containers: object[]; volumes: object[] } }>()
    expect(kept).toMatchObject(expected)
    const json = (await ask('GET', `${path}/p`)).json<{ metadata: object }>()
    const labelled = { ...json, metadata: { ...json.metadata, labels: { a: 'b' } } }
    expect((await ask('PUT', `${path}/p`, { body: labelled })).status).toBe(200)
  })

  it.each([2, 3])('whose field %i is a number is refused', async field => {
    const { ask } = testCluster()
    const body = envelope('Pod', number(field, 1n), 'v1')
    const answer = await ask('POST', '/api/v1/namespaces/lab/pods', { body, headers: PROTOBUF })
    expectStatus(answer, 400, 'wrong wireType')
  })
})

describe('other objects in protobuf', () => {
  const post = (kind: string, path: string, raw: number[]) =>
    testCluster().ask('POST', `/api/v1/namespaces/lab/${path}`, {
      body: envelope(kind, raw, 'v1'),
      headers: PROTOBUF,
    })
  const metadata = bytes(1, bytes(1, 'x'))

  it('keeps an event, as the recorder of client-go sends it', async () => {
    const pod = [...bytes(1, 'Pod'), ...bytes(2, 'lab'), ...bytes(3, 'web-0')]
    const time = number(1, 1_700_000_000n)
    const made = await post('Event', 'events', [
      ...metadata,
      ...bytes(2, pod),
      ...bytes(3, 'Pulled'),
      ...bytes(5, bytes(1, 'kubelet')),
      ...bytes(6, time),
      ...number(8, 2n),
      ...bytes(10, [...time, ...number(2, 5000n)]),
    ])
    expect([made.status, made.json<object>()]).toMatchObject([
      201,
      {
        involvedObject: { kind: 'Pod', namespace: 'lab', name: 'web-0' },
        reason: 'Pulled',
        source: { component: 'kubelet' },
        firstTimestamp: '2023-11-14T22:13:20Z',
        count: 2,
        eventTime: '2023-11-14T22:13:20.000005Z',
      },
    ])
  })

  it('keeps the references of a service account', async () => {
    const secret = [...bytes(1, 'Secret'), ...bytes(3, 'demo-key'), ...bytes(4, 'uid')]
    const made = await post('ServiceAccount', 'serviceaccounts', [
      ...metadata,
      ...bytes(2, secret),
      ...number(4, 0n),
    ])
    expect(made.json<object>()).toMatchObject({
      secrets: [{ kind: 'Secret', name: 'demo-key', uid: 'uid' }],
      automountServiceAccountToken: false,
    })
  })
})
