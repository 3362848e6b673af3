import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { isInstalled } from '../install.js'

const packages = join(import.meta.dirname, 'node_modules')

/** The Node.js that the programs of this rig need. */
export const newerNode = join(packages, 'node22/bin/node')

/** The conformance suite of MCP. */
export const suite = join(packages, '@modelcontextprotocol/conformance/dist/index.js')

/** MCP Inspector, which starts its command line, web page or screen. */
export const inspector = join(packages, '@modelcontextprotocol/inspector/clients/launcher/build/index.js')

/** The browser of a program that opens one. */
export const opener = join(import.meta.dirname, 'opener.js')

function whySkipped(): string | undefined {
  if (process.env.OAUTH_LAB_MCP !== 'run') return 'npm run mcp-conformance runs it'
  return isInstalled('mcp') && existsSync(newerNode) ? undefined : 'not installed'
}

/** Describes tests with the packages of this rig. They are skipped, with the reason, where those are missing. */
export function describeSuite(title: string, tests: () => void): void {
  const reason = whySkipped()
  if (reason === undefined) describe(title, tests)
  else describe.skip(`${title} (skipped: ${reason})`, tests)
}
