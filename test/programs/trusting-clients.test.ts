import { readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeLeaf } from '../../src/lab/certificates/authority.js'
import { type Ended, run, runProgram, until } from '../support/program.js'
import { chromiumNames, describeWith, findProgram } from '../support/requires.js'
import { sharedLab } from '../support/shared.js'

// Go compiles its own packages once, in a minute or two.
const goCache = join(tmpdir(), 'oauth-lab-test-go')

const lab = sharedLab()
beforeAll(async () => {
  writeFileSync(join(lab.env.HOME!, 'get.go'), go)
  writeFileSync(join(lab.env.HOME!, 'Get.java'), java)
})

const go = `package main
import ("crypto/tls"; "fmt"; "os")
func main() {
  connection, err := tls.Dial("tcp", os.Args[1], nil)
  if err != nil { fmt.Println(err); os.Exit(1) }
  fmt.Println(tls.VersionName(connection.ConnectionState().Version))
}
`
const java = `import java.net.URI;
import java.net.http.*;
class Get {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(args[0])).build();
    System.out.println(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).statusCode());
  }
}
`
const python = 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).status)'

/** A line of `oauth-lab ca env` as a shell runs it, without its comment sign. */
async function envLine(part: string): Promise<string> {
  const { stdout } = await runProgram(['ca', 'env'], { env: lab.env })
  return stdout
    .split('\n')
    .find(line => line.includes(part))!
    .replace(/^# /, '')
}

const page = () => `${lab.ready.urls.authorization}/.well-known/jwks.json`

function start(program: string, args: readonly string[], trusting = {}): Promise<Ended> {
  const folder = lab.env.HOME!
  const env = { ...lab.env, ...trusting, GOCACHE: goCache, GO111MODULE: 'off' }
  return run(findProgram(program) ?? program, args, { env, cwd: folder, limit: 240_000 })
}

/** One client: how it gets a page before and after it is made to trust the CA. */
interface TlsClient {
  readonly needs: readonly string[]
  readonly name: string
  readonly get: (trusting: boolean) => Promise<Ended>
  /** The sign of success in its output. */
  readonly success: RegExp
}

const byFile = () => ({ SSL_CERT_FILE: lab.ready.ca })

const clients: readonly TlsClient[] = [
  {
    needs: ['openssl'],
    name: 'OpenSSL',
    get: trusting => {
      const { host } = new URL(page())
      const strict = ['-verify_return_error', '-verify_hostname', 'localhost', '-x509_strict']
      return start('openssl', ['s_client', '-connect', host, ...strict], trusting ? byFile() : {})
    },
    success: /Verify return code: 0 \(ok\)/,
  },
  {
    needs: ['go'],
    name: 'Go',
    get: trusting => start('go', ['run', 'get.go', new URL(page()).host], trusting ? byFile() : {}),
    success: /^TLS 1\.3\n$/,
  },
  {
    needs: ['python3'],
    name: 'Python',
    get: trusting => start('python3', ['-c', python, page()], trusting ? byFile() : {}),
    success: /^200\n$/,
  },
  {
    needs: ['keytool', 'javac'],
    name: 'Java, by the lines of ca env',
    get: async trusting => {
      if (!trusting) return start('java', ['Get.java', page()])
      const made = await start('sh', ['-c', await envLine('keytool')])
      expect(made.code, made.stderr).toBe(0)
      const line = await envLine('javax.net.ssl.trustStore=')
      return start('sh', ['-c', line.replace('...', `Get.java ${page()}`)])
    },
    success: /^200\n$/,
  },
  {
    needs: [chromiumNames.join('|'), 'certutil'],
    name: 'Chromium, by ca install',
    get: async trusting => {
      if (trusting) {
        const installed = await runProgram(['ca', 'install', '--only', 'nss', '--yes'], { env: lab.env })
        expect(installed.code, installed.stderr).toBe(0)
      }
      const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
      const options = ['--headless', '--disable-gpu', '--disable-dev-shm-usage', ...sandbox]
      return start(findProgram(...chromiumNames)!, [...options, '--dump-dom', page()])
    },
    success: /"keys":/,
  },
]

describe.each(clients)('$name', ({ needs, get, success }) => {
  describeWith(needs, 'and the CA of the lab', () => {
    it('gives up without it, and the lab prints why', { timeout: 250_000 }, async () => {
      const seen = (await lab.events()).length
      expect((await get(false)).stdout).not.toMatch(success)
      const event = await until(
        async () => (await lab.events()).slice(seen).find(({ type }) => type === 'handshake.failed'),
        () => 'no handshake.failed',
      )
      expect(['unknown_ca', 'certificate_refused', 'closed']).toContain(event.reason)
      expect(event.hint).toContain('oauth-lab ca env')
    })

    it('is content with it', { timeout: 250_000 }, async () => {
      const { stdout, stderr } = await get(true)
      expect(stdout, stderr).toMatch(success)
    })
  })
})

describeWith(['openssl'], 'a thief of the CA’s key', () => {
  /** Signs a certificate for a purpose and a name, by `openssl x509` alone, and verifies it for that purpose. */
  async function verified(purpose: string, usage: string, name: string): Promise<string> {
    const folder = lab.env.HOME!
    writeFileSync(join(folder, 'ext'), `extendedKeyUsage=${usage}\nsubjectAltName=${name}\n`)
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'thief.key']
    const requested = await start('openssl', ['req', ...key, '-subj', '/CN=x', '-out', 'thief.csr'])
    expect(requested.code, requested.stderr).toBe(0)
    const authority = ['-CA', lab.ready.ca, '-CAkey', join(folder, 'lab/ca-key.pem'), '-CAcreateserial']
    const csr = ['-req', '-in', 'thief.csr', '-out', 'thief.pem', '-days', '30', '-extfile', 'ext']
    const signed = await start('openssl', ['x509', ...csr, ...authority])
    expect(signed.code, signed.stderr).toBe(0)
    const { stdout, stderr } = await start('openssl', [
      ...['verify', '-no-CApath', '-no-CAstore', '-purpose', purpose, '-CAfile', lab.ready.ca, 'thief.pem'],
    ])
    return stdout + stderr
  }

  it.each([
    ['sslclient', 'clientAuth', 'DNS:localhost', /unsuitable certificate purpose|invalid CA certificate/],
    [
      'smimesign',
      'emailProtection',
      'email:alice@localhost',
      /unsuitable certificate purpose|invalid CA|permitted subtree/,
    ],
    ['any', 'emailProtection', 'email:alice@bank.example', /permitted subtree violation/],
    ['any', 'clientAuth', 'URI:spiffe://bank.example/pay', /permitted subtree violation/],
    ['sslserver', 'serverAuth', 'DNS:bank.example', /permitted subtree violation/],
    ['sslserver', 'serverAuth', 'IP:8.8.8.8', /permitted subtree violation/],
  ])('gets no good certificate for %s (%s, %s)', async (purpose, usage, name, why) => {
    expect(await verified(purpose, usage, name)).toMatch(why)
  })

  it('gets one for the lab alone', async () => {
    expect(await verified('sslserver', 'serverAuth', 'DNS:localhost')).toMatch(/: OK\n$/)
  })
})

describeWith(['go'], 'Go', () => {
  const program = `package main
import ("crypto/x509"; "encoding/pem"; "fmt"; "os")
func read(file string) *x509.Certificate {
  text, _ := os.ReadFile(file)
  block, _ := pem.Decode(text)
  certificate, err := x509.ParseCertificate(block.Bytes)
  if err != nil { panic(err) }
  return certificate
}
func main() {
  roots := x509.NewCertPool()
  roots.AddCert(read(os.Args[1]))
  options := x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}}
  _, err := read(os.Args[2]).Verify(options)
  fmt.Println(err)
}
`
  it('refuses a name of the web under the CA', { timeout: 250_000 }, async () => {
    const folder = lab.env.HOME!
    const keyed = readFileSync(join(folder, 'lab/ca-key.pem'), 'utf8')
    const certPem = readFileSync(lab.ready.ca, 'utf8')
    const keyPem = keyed.replace(/-----BEGIN CERTIFICATE[\s\S]*/, '')
    writeFileSync(join(folder, 'verify.go'), program)
    for (const [name, result] of [
      ['bank.example', /is not permitted by any constraint/],
      ['localhost', /^<nil>\n$/],
    ] as const) {
      const leaf = await makeLeaf({ certPem, keyPem }, [name], Date.now())
      writeFileSync(join(folder, 'leaf.pem'), leaf.certPem)
      expect((await start('go', ['run', 'verify.go', lab.ready.ca, 'leaf.pem'])).stdout).toMatch(result)
    }
  })
})
