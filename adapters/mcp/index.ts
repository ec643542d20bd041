export { createMcpHandler, type McpHandler, type McpOptions } from './handler.ts'
