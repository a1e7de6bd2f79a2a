"""What every benchmark works with: processes, servers, figures and reports."""
