"""What libraries do at the same moments: a failing call, a cancelled task, a reader who leaves."""
