import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runHere, type Said } from '../../support/in-process.js'
import { sharedLab } from '../../support/shared.js'

const lab = sharedLab(['--compression'])
let token = ''
beforeAll(async () => {
  const file = join(lab.env.HOME!, 'lab.json')
  writeFileSync(
    file,
    JSON.stringify({ users: [{ username: 'zoë', password: 'x', claims: { name: 'Zoë …' } }] }),
  )
  token = (await said('k8s', 'token', '-o', 'token')).stdout
  await said('cf', 'dns', 'create', '--type', 'TXT', '--name', 'é', '--content', 'naïve “…”')
  await said('cf', 'dns', 'create', '--type', 'TXT', '--name', 'é', '--content', 'two')
})

const said = (...args: readonly string[]): Promise<Said> => runHere(args, { env: lab.env })
const ascii = /^[\n\x20-\x7e]+$/

describe('--ascii', () => {
  it.each([
    ['cf dns delete --name é'],
    ['cf dns list --type TXT'],
    ['cf dns set --type TXT --name é2 --content ü --dry-run'],
    ['cf events --since 1h --top 5'],
    ['cf events --since 1h'],
    ['cf verify --help'],
    ['cf zones'],
    ['compress'],
    ['compress breach'],
    ['compress budget /kb/2'],
    ['compress cache'],
    ['compress explain gzip;q=0 überlange-codierung-mit-umlauten'],
    ['compress gateway'],
    ['compress get /kb/200 --offer gzip --hex'],
    ['compress lint /kb/200'],
    ['compress table'],
    ['config show'],
    ['config check --config ~/ü.json'],
    ['doctor --help'],
    ['flow code --config ~/lab.json --plain'],
    ['flow code --screen-reader'],
    ['flow code --issuer http://example.com'],
    ['flow resource --show-secrets'],
    ['flow code --user zoë'],
    ['jwt decode …'],
    ['k8s accounts list -A'],
    ['k8s review --show-http TOKEN'],
    ['k8s inspect TOKEN'],
    ['k8s verify TOKEN'],
    ['k8s whoami'],
    ['serve --explain --profile reference'],
    ['serve --help'],
    ['tamper list'],
  ])('%s', async line => {
    const words = line.replace('TOKEN', token).replaceAll('~', lab.env.HOME!).split(' ')
    const { stdout, stderr } = await said(...words, '--ascii')
    expect(stdout + stderr).toMatch(ascii)
  })

  it('spells our own signs', async () => {
    expect((await said('cf', 'dns', 'delete', '--name', 'é', '--ascii')).stderr).toMatch(
      /^ {2}[0-9a-f]+\.\.\. TXT /m,
    )
    expect((await said('compress', 'lint', '/kb/200', '--ascii')).stdout).toContain('RFC 9110 sec. 12.5.3')
  })

  it('leaves data as they are', async () => {
    const csv = await said('cf', 'dns', 'list', '--type', 'TXT', '-o', 'csv', '--ascii')
    expect(csv.stdout).toContain('naïve “…”')
    const { users } = JSON.parse(
      (await said('config', 'show', '--json', '--ascii', '--config', join(lab.env.HOME!, 'lab.json'))).stdout,
    ) as { users: readonly { readonly claims: unknown }[] }
    expect(users[0]?.claims).toEqual({ name: 'Zoë …' })
  })
})

it('a locale without UTF-8 is ASCII too', async () => {
  const env = { ...lab.env, LC_ALL: 'C' }
  const help = await runHere(['help', 'events'], { env })
  expect(help.stdout).toContain("another key signs the cluster's")
  expect(help.stdout).toMatch(ascii)
})
