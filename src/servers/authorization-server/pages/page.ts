import { createPage } from '../../../protocol/http/page.js'

/** Makes a page of the authorization server. */
export const page = createPage('oauth-lab authorization server')
