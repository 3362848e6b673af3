// Input that was quadratic in the first release, beside a plain request: what the lab takes for it now, and what the code of
// then takes for the same text in this process.
import { performance } from 'node:perf_hooks'
import { parse } from 'yaml'
import { Connection } from './connection.js'
import { pinLoad, Servers } from './server.js'
import { median, printTable } from './statistics.js'

const ZONE = '1ab00000000000000000000000000001'

/** Milliseconds of a synchronous function. */
function timeOf(act) {
  const start = performance.now()
  act()
  return performance.now() - start
}

const yaml = keys =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n${Array.from({ length: keys }, (_, n) => `  k${n}: v\n`).join('')}`

const zoneFile = blanks => `www 300 IN A 192.0.2.1 ; a${' '.repeat(blanks)}b cf_tags=cf-proxied:true\n`

/** The part of the first release that read the comment of a record. */
const COMMENT = /^(.*?)\s*(?:cf_tags=(\S*))?$/s

const member = blanks => `gzip${' '.repeat(blanks)}x`

/** The trim of the first release. */
const TRIM = /^[ \t]+|[ \t]+$/g

/** The cases: the text, the code of the first release, and the request with the text. */
const CASES = [
  {
    name: 'YAML of 8,000 keys',
    before: () => parse(yaml(8000)),
    request: ({ cluster }) => [
      ...[cluster, '/api/v1/namespaces/default/configmaps?dryRun=All'],
      ...[{ type: 'application/yaml', body: yaml(8000), authorization: 'Bearer lab-admin-token' }],
    ],
  },
  {
    name: 'zone file, 15,000 blanks in a comment',
    before: () => COMMENT.exec(zoneFile(15_000).trim()),
    request: ({ dns }) => [
      ...[dns, `/client/v4/zones/${ZONE}/dns_records/import`],
      {
        type: 'multipart/form-data; boundary=x',
        body: `--x\r\nContent-Disposition: form-data; name="file"; filename="z"\r\n\r\n${zoneFile(15_000)}\r\n--x--\r\n`,
        authorization: 'Bearer labtoken00000000000000000000000000000001',
      },
    ],
  },
  {
    name: 'Accept-Encoding, 15,000 blanks',
    before: () => member(15_000).replace(TRIM, ''),
    request: ({ authorization }) => [...[authorization, '/kb/1', { offer: member(15_000) }]],
  },
]

/**
 * A request as bytes.
 * @param {string} url
 * @param {string} path
 * @param {{ type?: string, body?: string, authorization?: string, offer?: string }} parts
 */
function bytesOf(url, path, { type, body, authorization, offer }) {
  const lines = [`${body === undefined ? 'GET' : 'POST'} ${path} HTTP/1.1`, `host: ${new URL(url).host}`]
  if (authorization) lines.push(`authorization: ${authorization}`)
  if (offer) lines.push(`accept-encoding: ${offer}`)
  if (body !== undefined) lines.push(`content-type: ${type}`, `content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Milliseconds of a request: the median of some. */
async function answered(url, path, parts, ca, times) {
  const connection = await Connection.open(url, ca)
  const bytes = bytesOf(url, path, parts)
  const all = []
  try {
    for (let i = 0; i < times; i++) {
      const start = performance.now()
      await connection.send(bytes, 200, 201, 400, 413)
      all.push(performance.now() - start)
    }
  } finally {
    connection.close()
  }
  return median(all)
}

/** @param times requests of each case */
export async function measureHostile(times) {
  const servers = new Servers()
  try {
    pinLoad()
    const { urls } = await servers.lab({}, ['--compression'])
    const plain = await answered(urls.authorization, '/kb/1', {}, servers.ca, times * 4)
    const rows = []
    for (const { name, before, request } of CASES) {
      const [url, path, parts] = request(urls)
      const now = await answered(url, path, parts, servers.ca, times)
      const then = timeOf(before)
      rows.push([
        ...[name, then.toFixed(1), now.toFixed(1), (then / now).toFixed(1), (now / plain).toFixed(1)],
      ])
    }
    printTable(
      ['hostile input', 'then, ms', 'now, ms a request', 'then, of now', 'now, of a plain request'],
      rows,
    )
    // The budget of the DNS API: requests without credentials spend nothing of it.
    const path = `/client/v4/zones/${ZONE}`
    const connection = await Connection.open(urls.dns, servers.ca)
    for (let i = 0; i < 1300; i++) await connection.send(bytesOf(urls.dns, path, {}), 400, 401, 403)
    const authorization = 'Bearer labtoken00000000000000000000000000000001'
    await connection.send(bytesOf(urls.dns, path, { authorization }), 200)
    connection.close()
    console.log('after 1,300 requests without credentials the DNS API answers 200 to one with credentials')
    return rows.map(([name, , , ratio]) => [`then, of now: ${name}`, ratio, '>= 5'])
  } finally {
    await servers.stop()
  }
}
