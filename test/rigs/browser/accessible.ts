import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const RUN_AXE = `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
  .then(({ passes, violations }) => ({
    passed: passes.map(each => each.id),
    found: violations.map(each => each.id + ': ' + each.nodes[0].html),
  }))`

interface AxeResult {
  readonly passed: readonly string[]
  readonly found: readonly string[]
}

/** A projector, a laptop and a telephone. */
const SIZES = [
  [1920, 1080],
  [1024, 768],
  [390, 844],
] as const

/**
 * Expects a page to fit three windows in both colour schemes, and axe to find nothing there. With OAUTH_LAB_SCREENSHOTS, a
 * folder, it leaves a picture of each.
 */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  for (const [width, height] of SIZES) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      const at = `${name}-${width}-${colorScheme}`
      expect(await page.evaluate('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(width)
      await page.evaluate(axe)
      const { passed, found } = await page.evaluate<AxeResult>(RUN_AXE)
      expect(passed).toContain('color-contrast')
      expect(found, at).toEqual([])
      const folder = process.env.OAUTH_LAB_SCREENSHOTS
      if (folder !== undefined) await page.screenshot({ path: `${folder}/${at}.png` })
    }
  }
}
