import { describe, expect, it } from 'vitest'
import { receiverOf, returnsTo } from '../../../../src/servers/authorization-server/pages/page.js'

describe('the receiver of an answer', () => {
  it.each([
    ['https://client.example/cb?tenant=a', 'https://client.example'],
    ['https://client.example:8443/cb', 'https://client.example:8443'],
    ['https://client.example:443/cb', 'https://client.example'],
    ['http://127.0.0.1:5000/cb', 'http://127.0.0.1:5000'],
    ['http://[::1]:5000/cb', 'http://[::1]:5000'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['com.example.app://host/cb', 'com.example.app://host'],
  ])('of %s is named %s', (address, name) => {
    expect(returnsTo(address)).toBe(name)
    expect(receiverOf(address)).toContain(name)
  })

  it.each([
    ['https://client.example/cb', 'site'],
    ['http://client.example/cb', 'site'],
    ['https://localhost.example/cb', 'site'],
    ['https://127.0.0.2/cb', 'site'],
    ['http://localhost/cb', 'program'],
    ['https://localhost:8443/cb', 'program'],
    ['http://127.0.0.1:5000/cb', 'program'],
    ['http://[::1]/cb', 'program'],
    ['com.example.app:/cb', 'application'],
    ['com.example.app://localhost/cb', 'application'],
  ])('at %s is a %s', (address, kind) => {
    const described = receiverOf(address)
    expect(described.includes('program on this computer')).toBe(kind === 'program')
    expect(described.includes('application that this computer opens')).toBe(kind === 'application')
  })
})
