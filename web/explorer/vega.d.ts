// Vega's own script, which comes from the server; what it does is in `Window`.
export {};
