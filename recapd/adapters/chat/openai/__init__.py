"""Messages in the style of OpenAI's chat API, whoever writes them: one per line, or one document."""
