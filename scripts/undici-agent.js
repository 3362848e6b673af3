// What the program uses of undici: connections and requests. Its own entry loads fetch, caches, mocks and WebSockets
// too, which are two thirds of it.
import api from '../node_modules/undici/lib/api/index.js'
import buildConnector from '../node_modules/undici/lib/core/connect.js'
import Agent from '../node_modules/undici/lib/dispatcher/agent.js'
import Dispatcher from '../node_modules/undici/lib/dispatcher/dispatcher.js'

Object.assign(Dispatcher.prototype, api)

export { Agent, buildConnector }
